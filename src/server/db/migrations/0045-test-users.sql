-- Whether a dashboard user is test data: a reset of the sandbox deletes these users. Nobody has had a link,
-- a sign-in or a change of role for them.
alter table dashboard_users add column is_test_data integer not null default 0;
