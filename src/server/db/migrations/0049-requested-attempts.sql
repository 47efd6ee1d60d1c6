-- Attempts at webhooks that somebody asked for: they take the place of no planned one.

alter table webhook_attempts add column requested integer not null default 0;
