-- Where webhooks of new Items go, unless they name their own address.
alter table clients add column webhook text;
-- The secret before the present one, and until when it is accepted, in real ms.
alter table clients add column previous_secret_hash text;
alter table clients add column previous_secret_until bigint;
-- Since when the client is rejected; null for a client that is let in.
alter table clients add column disabled_at text;

-- What operators and imports changed, and who did it. Rows are only added.
create table audit_log (
  -- Empty where the change is not about one client.
  client_id text not null,
  audit_id text not null,
  at text not null,
  -- Such as `operator:root`.
  actor text not null,
  action text not null,
  -- What was changed, such as the id of an Item.
  subject text,
  -- A JSON object without secrets.
  details text not null,
  primary key (client_id, audit_id)
);

create index audit_log_time on audit_log (at, audit_id);
