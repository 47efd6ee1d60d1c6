-- How often the client was reset: what a process remembers of it counts only until the next reset.
alter table clients add column resets integer not null default 0;
