-- The calls of a client for the dashboard: more of them, by what they are about, with their bodies.

-- How many calls of the client were stored before these, and with them.
alter table request_log add column total bigint not null default 0;
-- In real ms.
alter table request_log add column stored_at bigint not null default 0;
-- When the first and the last of them arrived, by the client's clock.
alter table request_log add column first_at text not null default '';
alter table request_log add column last_at text not null default '';
-- The request ids, and what the calls were about: each between two bars.
alter table request_log add column ids text not null default '';
alter table request_log add column terms text not null default '';
-- Encrypted: a compressed JSON array, an element for each call. Null where bodies are not stored.
alter table request_log add column bodies text;

create index request_log_total on request_log (client_id, total);
create index request_log_stored on request_log (client_id, stored_at);

-- How many calls of an hour had which outcome.
create table request_counts (
  client_id text not null,
  -- When the hour began, by the client's clock.
  hour text not null,
  operation_id text not null,
  status integer not null,
  -- Empty where the calls succeeded.
  error_code text not null,
  calls bigint not null,
  duration_ms bigint not null,
  primary key (client_id, hour, operation_id, status, error_code)
);

-- Those that wait for a reviewer.
create index identity_verifications_pending on identity_verifications (client_id)
  where status = 'pending_review';

-- The Items of a client by health.
create index items_health on items (client_id, health_error) where removed_at is null;
