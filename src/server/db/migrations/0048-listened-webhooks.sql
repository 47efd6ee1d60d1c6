-- Webhooks for clients that listen for them, whether they have an address or not.

-- Until when the client's webhooks are stored for listeners, in real ms; null where nobody has listened.
alter table clients add column listens_until bigint;
-- How often listening has begun after a time without it: a cursor from before has a gap.
alter table clients add column listens integer not null default 0;

create table listened_webhooks (
  client_id text not null,
  -- Counts up by one with each row: a listener notices a missing one.
  sequence bigint not null,
  webhook_id text not null,
  webhook_type text not null,
  webhook_code text not null,
  -- The exact bytes that are sent and signed; encrypted where they hold tokens.
  body text not null,
  tamper text,
  -- In real ms.
  stored_at bigint not null,
  primary key (client_id, sequence)
);

create index listened_webhooks_id on listened_webhooks (client_id, webhook_id);
create index listened_webhooks_age on listened_webhooks (client_id, stored_at);
