-- Answers of requests with an Idempotency-Key. A row is written in the transaction of its request.
create table idempotency_keys (
  client_id text not null,
  -- Keyed hash of the key: its form is free, so it may contain anything.
  key_hash text not null,
  -- Keyed hash of the operation and the body.
  fingerprint text not null,
  -- Encrypted JSON of the answer in the newest version.
  answer text not null,
  -- Real ms: a client that advances its clock must not lose its keys by that.
  stored_at bigint not null,
  primary key (client_id, key_hash)
);

create index idempotency_keys_by_time on idempotency_keys (client_id, stored_at);
