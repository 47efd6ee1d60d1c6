-- Checks of identity verifications that providers do.

-- Encrypted JSON of what providers found, by step; null where none found anything.
alter table identity_verifications add column results text;

-- Checks that are to be submitted to a provider, or whose result is awaited. Times are real ms.
create table identity_checks (
  client_id text not null,
  -- The provider knows the check by it, so a second submission is no second check.
  check_id text not null,
  attempt_id text not null,
  step text not null,
  -- Encrypted JSON of what is sent beside the attempt; null where that is all.
  payload text,
  -- When a provider took it; null until then.
  submitted_at bigint,
  created_at bigint not null,
  due_at bigint not null,
  -- Until when a process may work on it; 0 for nobody.
  leased_until bigint not null default 0,
  -- Counts the claims: what an older claim got is not written.
  fence bigint not null default 0,
  -- How many calls were made since the last one that changed something.
  calls integer not null default 0,
  -- Why the last call failed; null where it did not.
  failure text,
  primary key (client_id, check_id)
);

create index identity_checks_due on identity_checks (due_at);
