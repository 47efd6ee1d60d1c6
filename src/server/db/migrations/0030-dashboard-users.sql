-- Who may use the dashboard, and how they sign in.

-- reviewer, developer or admin.
alter table dashboard_users add column role text not null default 'reviewer';

-- Those who look at the data of all clients, and belong to none.
create table dashboard_operators (
  id text primary key,
  created_at text not null,
  -- Null for the user of a sandbox on their own machine.
  email_address text,
  role text not null,
  disabled_at text
);

-- An operator names a user without their client.
create index dashboard_users_id on dashboard_users (id, client_id);

-- Links that sign a user in once. A row is deleted when its link is used.
create table dashboard_sign_in_keys (
  -- Empty for an operator, as in the next table.
  client_id text not null,
  key_hash text not null,
  user_id text not null,
  -- In real ms, as in the next table.
  expires_at bigint not null,
  primary key (client_id, key_hash)
);

-- The key alone is shown.
create unique index dashboard_sign_in_keys_hash on dashboard_sign_in_keys (key_hash);
create index dashboard_sign_in_keys_user on dashboard_sign_in_keys (client_id, user_id, expires_at);
create index dashboard_sign_in_keys_expired on dashboard_sign_in_keys (expires_at);

-- A row is deleted when its session ends.
create table dashboard_sessions (
  client_id text not null,
  session_hash text not null,
  user_id text not null,
  created_at text not null,
  ends_at bigint not null,
  -- Where the session was begun.
  address text not null,
  primary key (client_id, session_hash)
);

create unique index dashboard_sessions_hash on dashboard_sessions (session_hash);
create index dashboard_sessions_ended on dashboard_sessions (ends_at, session_hash);
create index dashboard_sessions_user on dashboard_sessions (client_id, user_id, ends_at);

-- Lists of the dashboard, the newest first.
create index clients_list on clients (created_at, client_id);
create index items_list on items (client_id, created_at, item_id);
create index items_unhealthy on items (client_id, created_at, item_id)
  where health_error is not null and removed_at is null;
create index items_removed on items (client_id, created_at, item_id) where removed_at is not null;

-- Until when the bodies of the client's calls are stored in production, in real ms; null: not at all.
alter table clients add column keeps_bodies_until bigint;
