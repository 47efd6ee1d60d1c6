-- What belongs to the service as a whole: the seed and the anchor of its world.
create table settings (
  name text primary key,
  value text not null
);

create table clients (
  client_id text primary key,
  client_name text,
  secret_hash text not null,
  public_key text unique,
  default_version text,
  -- What this client's clock is ahead of the real one.
  clock_offset_ms bigint not null default 0,
  -- The features and scopes that are granted, as a JSON array.
  features text not null,
  -- How many injected errors wait for this client: the others never look for one.
  injections integer not null default 0,
  created_at text not null
);

-- Work to be done later. `due_at` is real time in ms: moving a client's clock moves its rows.
create table jobs (
  client_id text not null,
  job_id text not null,
  kind text not null,
  payload text not null,
  due_at bigint not null,
  attempts integer not null default 0,
  primary key (client_id, job_id)
);

-- For what is due next of all, and what of one client.
create index jobs_due on jobs (due_at);
create index jobs_client on jobs (client_id, due_at, job_id);

-- Every webhook that was written, delivered or not.
create table webhook_deliveries (
  client_id text not null,
  webhook_id text not null,
  -- Counts up with each webhook of the client: the order of the list.
  sequence bigint not null,
  item_id text,
  url text not null,
  webhook_type text not null,
  webhook_code text not null,
  -- The exact bytes that are sent and signed.
  body text not null,
  tamper text,
  -- pending, delivered or failed.
  status text not null,
  -- Real time in ms of the next attempt; null when none is planned.
  due_at bigint,
  -- Until when another process is to keep away, in real ms: the one that attempts it now may have
  -- died.
  claimed_until bigint,
  -- How many attempts `/sandbox/webhook/redeliver` asked for that are still to be made.
  asked integer not null default 0,
  primary key (client_id, webhook_id)
);

create unique index webhook_deliveries_list on webhook_deliveries (client_id, sequence);
-- Only what is planned is in these three, however many there have been: by endpoint, for one
-- client, and to see when the next one is due.
create index webhook_deliveries_endpoint on webhook_deliveries (url, due_at)
  where due_at is not null;
create index webhook_deliveries_client on webhook_deliveries (client_id, due_at)
  where due_at is not null;
create index webhook_deliveries_next on webhook_deliveries (due_at) where due_at is not null;

create table webhook_attempts (
  client_id text not null,
  webhook_id text not null,
  -- 1 is the first.
  number integer not null,
  url text not null,
  -- In ms by the client's clock.
  attempted_at bigint not null,
  succeeded integer not null,
  status_code integer,
  error text,
  primary key (client_id, webhook_id, number)
);

-- Counts what an endpoint rejected lately, without reading the rows.
create index webhook_attempts_endpoint
  on webhook_attempts (client_id, url, attempted_at, succeeded);

create table webhook_keys (
  client_id text not null,
  key_id text not null,
  x text not null,
  y text not null,
  -- Encrypted.
  private_key text not null,
  -- Unix seconds by the client's clock; a key that signs has not expired.
  created_at bigint not null,
  expired_at bigint,
  primary key (client_id, key_id)
);

create unique index webhook_keys_current on webhook_keys (client_id) where expired_at is null;

-- Errors and delays that a test asked for.
create table injected_errors (
  client_id text not null,
  injection_id text not null,
  operation_id text not null,
  access_token_hash text,
  -- What happens, as a JSON object.
  fault text not null,
  times integer not null,
  sequence bigint not null,
  primary key (client_id, injection_id)
);

-- The latest calls of each client, without their secrets: those of a moment in a row.
create table request_log (
  client_id text not null,
  -- Of the last call in it, as the next one.
  sequence bigint not null,
  request_id text not null,
  calls integer not null,
  -- A JSON array.
  entries text not null,
  primary key (client_id, sequence, request_id)
);

-- Calls counted in the current minute.
create table rate_windows (
  client_id text not null,
  subject text not null,
  window_start bigint not null,
  calls integer not null,
  primary key (client_id, subject)
);
