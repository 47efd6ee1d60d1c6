-- Sessions of the hosted pages. The columns are null for sessions that one call wrote whole.

-- A keyed hash of the cookie of the session's browser.
alter table link_sessions add column browser_hash text;
-- Which session of its link token it is, from 1.
alter table link_sessions add column attempt integer;
-- How many forms were accepted: a form that was made for another number is out of date.
alter table link_sessions add column turn integer;
-- The furthest step that is open.
alter table link_sessions add column step text;
-- JSON: what the user answered, never a password.
alter table link_sessions add column answers text;

create index link_sessions_browser on link_sessions (client_id, browser_hash);
