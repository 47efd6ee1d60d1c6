-- Which state the institutions of a world are in: those of every client's ('') or a client's own.
-- Another one for each change, so that what processes keep in memory is never taken for newer.
create table institution_changes (
  client_id text primary key,
  state text not null
);

-- Worlds from before that; a process that starts on one has kept nothing yet.
insert into institution_changes (client_id, state)
  select distinct client_id, 'first' from institutions;
