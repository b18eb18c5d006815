import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import type { container } from '../contract/containers.ts'
import type { EventType } from '../contract/events.ts'
import type { Id } from '../contract/ids.ts'
import type { pull } from '../contract/images.ts'
import type { Role } from '../contract/permissions.ts'
import type { setup } from '../contract/setups.ts'

type Now = ColumnType<Date, Date | undefined, Date>
/** Written as text: an array would be taken for one of PostgreSQL's own. */
type Json<T> = ColumnType<T, string | undefined, string>
type Warning = z.infer<typeof setup>['warnings'][number]
type Container = z.infer<typeof container>

/** The columns of every table, as the migrations leave them; a test holds the two against each other. */
export interface Tables {
  instance: { name: string; value: string }
  users: {
    id: Id<'user'>
    email: string
    name: string
    password_hash: string | null
    email_verified_at: Date | null
    two_factor_secret: string | null
    two_factor_on_at: Date | null
    two_factor_last_step: Generated<number>
    created_at: Now
  }
  recovery_codes: { user_id: Id<'user'>; code_hash: string }
  identities: { provider: string; subject: string; user_id: Id<'user'>; login: string; created_at: Now }
  single_use_tokens: {
    token_hash: string
    user_id: Id<'user'>
    purpose: 'verify' | 'reset' | 'github'
    expires_at: Date
    mailed: Generated<boolean>
  }
  sent_mails: { user_id: Id<'user'>; kind: 'verify' | 'reset' | 'already_signed_up'; sent_at: Now }
  login_failures: { account: string; address: string; failed_at: Now }
  workspaces: { id: Id<'workspace'>; name: string; trial_ends_at: Date; created_at: Now }
  members: {
    id: Id<'member'>
    workspace_id: Id<'workspace'>
    user_id: Id<'user'>
    role: Role
    created_at: Now
  }
  invites: {
    id: Id<'invite'>
    workspace_id: Id<'workspace'>
    email: string
    role: Role
    token_hash: string
    mailed_token_hash: string
    token_sealed: string
    invited_by: string
    expires_at: Date
    created_at: Now
  }
  sessions: {
    id: Id<'session'>
    user_id: Id<'user'>
    workspace_id: Id<'workspace'> | null
    token_hash: string
    address: string
    agent: string
    created_at: Now
    last_seen_at: Now
    expires_at: Date
  }
  api_tokens: {
    id: Id<'apiToken'>
    workspace_id: Id<'workspace'>
    user_id: Id<'user'>
    name: string
    role: Role
    token_hash: string
    expires_at: Date | null
    last_used_at: Date | null
    created_at: Now
  }
  stream_tickets: { ticket_hash: string; token_hash: string; expires_at: Date }
  idempotency_keys: {
    caller: string
    key: string
    request_hash: string
    holder: Generated<string>
    reply_sealed: string | null
    created_at: Now
  }
  events: {
    id: Id<'event'>
    workspace_id: Id<'workspace'>
    type: EventType
    actor_id: string | null
    actor_name: string
    via: string
    target_kind: string | null
    target_id: string | null
    target_name: string | null
    address: string | null
    detail: string | null
    created_at: Now
  }
  projects: { id: Id<'project'>; workspace_id: Id<'workspace'>; name: string; created_at: Now }
  servers: {
    id: Id<'server'>
    workspace_id: Id<'workspace'>
    name: string
    status: 'failed' | 'unreachable' | 'setting_up' | 'provisioning' | 'pending' | 'ready' | 'deleting'
    address: string | null
    created_at: Now
    kind: Generated<'ssh' | 'local'>
    reason: string | null
    port: Generated<number>
    username: Generated<string>
    key_sealed: string | null
    public_key: string | null
    host_keys: Generated<string[]>
    offered_host_key: string | null
    http_port: Generated<number>
    https_port: Generated<number>
    labels: Generated<string[]>
    provider: string | null
    region: string | null
    type: string | null
    os: string | null
    architecture: string | null
    cpus: number | null
    memory_bytes: number | null
    disk_bytes: number | null
    docker_version: string | null
    last_seen_at: Date | null
    version: Generated<number>
    watcher: string | null
    watched_until: Date | null
    containers_live: Generated<boolean>
  }
  containers: {
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    id: string
    name: string
    image: string
    image_id: string
    state: Container['state']
    health: Container['health'] | null
    exit_code: number | null
    restarts: Generated<number>
    ports: Json<Container['ports']>
    project: string | null
    service: string | null
    created_at: Date
    started_at: Date | null
    finished_at: Date | null
    cpu: number | null
    memory_used: number | null
    memory_limit: number | null
    revision: Generated<number>
  }
  setups: {
    id: Id<'setup'>
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    status: 'queued' | 'running' | 'completed' | 'failed'
    step: string | null
    error: string | null
    actor_id: string | null
    actor_name: string
    stdout_offset: Generated<number>
    stderr_offset: Generated<number>
    runs: Generated<number>
    warnings: Json<Warning[]>
    created_at: Now
    finished_at: Date | null
  }
  import_tokens: {
    token_hash: string
    workspace_id: Id<'workspace'>
    name: string | null
    key_sealed: string
    public_key: string
    actor_id: Id<'user'>
    actor_name: string
    expires_at: Date
    created_at: Now
  }
  commands: {
    id: Id<'command'>
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    container_id: string | null
    container_name: string | null
    command: string
    status: 'running' | 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'lost'
    exit_code: number | null
    error: string | null
    truncated: Generated<boolean>
    timeout_seconds: number
    actor_id: string | null
    actor_name: string
    follower: string | null
    followed_until: Date | null
    begun_at: Date | null
    cancel_requested_at: Date | null
    stdout_offset: Generated<number>
    stderr_offset: Generated<number>
    created_at: Now
    finished_at: Date | null
  }
  container_shells: {
    id: string
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    container_id: string
    held_until: Date
  }
  outputs: {
    workspace_id: Id<'workspace'>
    source: string
    seq: number
    stream: 'stdout' | 'stderr'
    text: string
    created_at: Now
  }
  server_samples: {
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    at: Date
    cpu: number
    memory_used: number
    memory_total: number
    disk_used: number
    disk_total: number
    network_in: number
    network_out: number
    load_1: number
    load_5: number
    load_15: number
  }
  server_rollups: {
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    at: Date
    cpu: number
    memory_used: number
    memory_total: number
    disk_used: number
    disk_total: number
    network_in: number
    network_out: number
    load_1: number
    load_5: number
    load_15: number
  }
  pulls: {
    id: Id<'pull'>
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    image: string
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
    error: string | null
    layers: Json<z.infer<typeof pull>['layers']>
    job_id: Id<'job'> | null
    actor_id: string | null
    actor_name: string
    created_at: Now
    finished_at: Date | null
  }
  container_samples: {
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    container_id: string
    at: Date
    cpu: number
    memory_used: number
    memory_limit: number
    network_in: number
    network_out: number
    disk_read: number
    disk_written: number
  }
  container_rollups: {
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    container_id: string
    at: Date
    cpu: number
    memory_used: number
    memory_limit: number
    network_in: number
    network_out: number
    disk_read: number
    disk_written: number
  }
  applications: {
    id: Id<'application'>
    workspace_id: Id<'workspace'>
    name: string
    source_type: string
    created_at: Now
  }
  deployments: {
    id: Id<'deployment'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    type: string
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
    message: string | null
    tag: string | null
    errors: Generated<string[]>
    actor_name: string
    created_at: Now
  }
  notifications: {
    id: Id<'notification'>
    workspace_id: Id<'workspace'>
    name: string
    type: string
    created_at: Now
  }
  workers: { id: string; alive_until: Date }
  jobs: {
    id: Id<'job'>
    kind: string
    payload_sealed: string
    lane: string
    key: string | null
    group_name: string | null
    group_limit: number | null
    state: Generated<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>
    run_at: Now
    attempts: number
    failures: Generated<number>
    losses: Generated<number>
    fence: Generated<number>
    worker: string | null
    cancel_requested: Generated<boolean>
    error_sealed: string | null
    created_at: Now
    finished_at: Date | null
  }
  schedules: { name: string; every_seconds: number; due_at: Date }
}

export type Trx = Transaction<Tables>
export type Db = Kysely<Tables> | Trx
