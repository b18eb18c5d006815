alter table deployments rename column may_empower to allow_host_access;
update events set type = 'alert.resolved' where type = 'alert.over';
