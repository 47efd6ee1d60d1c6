create table users (
  client_id text not null,
  user_id text not null,
  client_user_id text not null,
  user_token_hash text not null,
  end_customer text,
  -- JSON, the id numbers excepted; null when none was given or it could not be used.
  identity text,
  -- JSON, the social security number excepted.
  consumer_report_user_identity text,
  -- Encrypted, as the next two.
  ssn_full text,
  ssn_last_4 text,
  -- Encrypted JSON, in the places of the request's list; null when there are none.
  id_numbers text,
  created_at text not null,
  primary key (client_id, user_id)
);

-- Of two creations at once, one meets this index.
create unique index users_client_user_id on users (client_id, client_user_id);
create unique index users_user_token on users (client_id, user_token_hash);

create table dashboard_users (
  client_id text not null,
  id text not null,
  -- Tells apart who was created in the same second.
  sequence bigint not null,
  created_at text not null,
  email_address text not null,
  status text not null,
  primary key (client_id, id)
);

create unique index dashboard_users_list on dashboard_users (client_id, created_at, sequence);

create table protect_events (
  client_id text not null,
  event_id text not null,
  -- app_visit, user_sign_in or user_sign_up
  kind text not null,
  -- When it happened, as the event itself says, and when it was noticed.
  event_timestamp text not null,
  timestamp text not null,
  protect_session_id text,
  device_session_id text,
  -- The whole event, as JSON.
  event text not null,
  -- JSON; null when nobody asked.
  trust_index text,
  created_at text not null,
  primary key (client_id, event_id)
);
