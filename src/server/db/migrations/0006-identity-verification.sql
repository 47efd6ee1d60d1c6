-- Those of every client's world have client_id ''. Each change is a row of its own.
create table identity_verification_templates (
  client_id text not null,
  template_id text not null,
  version integer not null,
  name text,
  -- A JSON array of step names.
  steps text not null,
  primary key (client_id, template_id, version)
);

create table identity_verifications (
  client_id text not null,
  id text not null,
  -- Counts up with each attempt of the client: the order of the list.
  sequence bigint not null,
  client_user_id text not null,
  user_id text,
  template_id text not null,
  template_version integer not null,
  previous_attempt_id text,
  gave_consent integer not null,
  -- Encrypted, since whoever has it can open the session; null when it is not shareable.
  share_key text,
  status text not null,
  -- What became of each step, as JSON.
  steps text not null,
  -- What is known of the user, as JSON, the value of the id number excepted.
  user_data text not null,
  -- Encrypted.
  id_number_value text,
  watchlist_screening_id text,
  created_at text not null,
  completed_at text,
  primary key (client_id, id)
);

create unique index identity_verifications_list
  on identity_verifications (client_id, template_id, sequence);
create index identity_verifications_user
  on identity_verifications (client_id, client_user_id, template_id, sequence);

-- All but the first attempt are retries: of two creations at once, one meets this index.
create unique index identity_verifications_first
  on identity_verifications (client_id, client_user_id, template_id)
  where previous_attempt_id is null;
