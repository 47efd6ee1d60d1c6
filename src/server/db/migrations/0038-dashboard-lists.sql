-- Lists of the dashboard, the newest first.
create index transfers_newest on transfers (client_id, created, transfer_id);
create index transfers_status on transfers (client_id, status, created, transfer_id);
create index transfers_account on transfers (client_id, account_id, created, transfer_id);
create index asset_reports_newest on asset_reports (client_id, created_at, asset_report_id);
create index asset_reports_status on asset_reports (client_id, status, created_at, asset_report_id);
create index users_newest on users (client_id, created_at, user_id);
-- The Items of a user.
create index items_user on items (client_id, user_id, created_at) where user_id is not null;
-- Institutions in the order of their names.
create index institutions_names on institutions (client_id, search_name, institution_id);
