-- The page on which a person does the steps of an identity verification.

-- Encrypted JSON: what the person did on the page. Null where they never used it.
alter table identity_verifications add column evidence text;
-- The address of the page names the attempt, and not its client.
create index identity_verifications_id on identity_verifications (id);

-- Each browser that the page was open in.
create table verification_sessions (
  client_id text not null,
  session_id text not null,
  attempt_id text not null,
  -- Tells apart those that began in the same second.
  sequence bigint not null,
  started_at text not null,
  -- In ms by the client's clock.
  expires_at bigint not null,
  -- A keyed hash of the cookie of the browser.
  browser_hash text not null,
  -- How many forms were accepted: a form that was made for another number is out of date.
  turn integer not null,
  -- Why the page ended in this browser; null while it goes on.
  ended text,
  -- Encrypted JSON: answers that are not sent to a check yet, and rejected forms.
  drafts text,
  -- The session of a link token that led here.
  token_hash text,
  link_session_id text,
  primary key (client_id, session_id)
);

create index verification_sessions_browser on verification_sessions (client_id, browser_hash);
create index verification_sessions_attempt on verification_sessions (client_id, attempt_id, sequence);
-- Expired ones, which are deleted.
create index verification_sessions_expired on verification_sessions (client_id, expires_at);
