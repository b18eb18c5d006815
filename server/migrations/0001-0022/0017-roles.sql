-- Who may open terminals and run commands in containers of applications; on servers only admins may.
alter table workspaces add column shell_access text not null default 'members'
  check (shell_access in ('members', 'admins'));

-- Access of open terminals is checked again.
create trigger notify_changed after update of shell_access on workspaces
  for each statement execute function notify_access();

-- Whether running the command required root access to the server: reading its output requires the same. Earlier commands
-- count as such.
alter table commands add column as_root boolean not null default true;
