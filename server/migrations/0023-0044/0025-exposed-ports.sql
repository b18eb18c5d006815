-- Whether the compose file names ports of the service for other containers (expose): these join the network of the project.
alter table instances add exposes_port boolean not null default false;
