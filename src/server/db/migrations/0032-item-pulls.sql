-- Items that the service reads from a source by itself. Times are real ms.
create table item_pulls (
  client_id text not null,
  item_id text not null,
  connector text not null,
  -- Encrypted: what the source lets the service in with.
  secret text not null,
  -- JSON: what the last read left for the next one.
  state text,
  -- JSON: the accounts that are not shown: their type is not known, or the user left them out.
  hidden text not null,
  -- The first and the last day of the history to read next; null where nothing is missing.
  history text,
  -- When the latest days were last read; 0 where they are to be read next.
  read_at bigint not null default 0,
  due_at bigint not null,
  -- Until when a process may work on it; 0 for nobody.
  leased_until bigint not null default 0,
  -- Counts the claims: what an older claim has read is not committed.
  fence bigint not null default 0,
  -- JSON: the times of the calls of the last day.
  calls text not null,
  -- How many reads have failed in a row.
  failures integer not null default 0,
  -- Why the last read failed, as a key of the catalogue; null where it did not.
  failure text,
  -- What the source told people in the last read: plain text, in lines.
  notices text,
  primary key (client_id, item_id)
);

create index item_pulls_due on item_pulls (due_at);
