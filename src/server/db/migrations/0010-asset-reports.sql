create table asset_reports (
  client_id text not null,
  asset_report_id text not null,
  token_hash text not null,
  -- Counts up with each report of the client.
  sequence bigint not null,
  -- The user that the report is about, where it is one of the client's.
  user_id text,
  webhook text,
  -- What was asked for, as JSON, the SSN excepted.
  request text not null,
  -- Encrypted.
  ssn text,
  insights_granted integer not null,
  -- pending, ready or failed; that of the fast report is null when there is none.
  status text not null,
  fast_status text,
  -- The reports and why they failed, as JSON.
  report text,
  fast_report text,
  failure text,
  fast_failure text,
  created_at text not null,
  primary key (client_id, asset_report_id)
);

create unique index asset_reports_token on asset_reports (client_id, token_hash);
create index asset_reports_user on asset_reports (client_id, user_id, sequence);
