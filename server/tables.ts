import type { ColumnType, Generated, GeneratedAlways, Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import type { AccountEventType } from '../contract/user.ts'
import type { AlertKindName, AlertScope, Severity } from '../contract/shared/alert-kinds.ts'
import type { httpCheck, maintenanceWindow } from '../contract/alerts.ts'
import type { health } from '../contract/shared/application-fields.ts'
import type { container } from '../contract/containers.ts'
import type { serviceActions } from '../contract/compose.ts'
import type { OutputOrigin } from '../contract/shared/output-origins.ts'
import type { stepNames, stepStatuses } from '../contract/deployments.ts'
import type { EventType, InstanceEventType } from '../contract/shared/events.ts'
import type { feedbackKinds } from '../contract/feedback.ts'
import type { Id } from '../contract/shared/ids.ts'
import type { pull } from '../contract/images.ts'
import type { message, Notice } from '../contract/notifications.ts'
import type { cloudStatuses } from '../contract/providers.ts'
import type { builders, commit, deployOn } from '../contract/shared/repository-fields.ts'
import type { registryKinds } from '../contract/registries.ts'
import type { Role, Scope, ShellAccess } from '../contract/shared/permissions.ts'
import type { cloudSteps } from '../contract/servers.ts'
import type { setup } from '../contract/setups.ts'
import type { template, templateCategories } from '../contract/templates.ts'

type Now = ColumnType<Date, Date | undefined, Date>
/** JSON is passed as text, because the driver would turn an array into a PostgreSQL array. */
type Json<T> = ColumnType<T, string | undefined, string>
type Warning = z.infer<typeof setup>['warnings'][number]
type Commit = z.infer<typeof commit>
export interface FollowedOutput {
  work: string
  offset: number
}
type Container = z.infer<typeof container>
export type ListedTemplate = Pick<z.output<typeof template>, 'logo' | 'links' | 'memory_bytes' | 'services'>

export interface ReleaseConfig {
  image: string
  command: string[] | null
  port: number | null
  health: z.output<typeof health>
  memory_limit: number | null
  cpu_limit: number | null
  replicas: number
  restart: 'always' | 'on-failure' | 'no'
  stop_grace_seconds: number
  drain_seconds: number
  labels: { key: string; value: string }[]
  volumes: { source: string; target: string }[]
  /** Missing in releases that are older than this option. */
  stop_first?: boolean
  profiles?: string[]
  services?: ReleaseService[]
  build?: BuildConfig
}

export interface HiddenConfig extends Pick<ReleaseConfig, 'command' | 'labels'> {
  build_args?: BuildConfig['build_args'] | undefined
  generated?: BuildConfig['generated'] | undefined
}

export interface OpenConfig extends Omit<ReleaseConfig, 'command' | 'labels' | 'build'> {
  build?: Omit<BuildConfig, 'build_args' | 'generated'>
}

export interface BuildConfig {
  integration_id: Id<'integration'> | null
  repository_id: number
  repository: string
  branch: string
  folder: string
  builder: (typeof builders)[number]
  dockerfile: string
  generated: string | null
  target: string
  build_args: { key: string; value: string }[]
  build_secrets: string[]
  submodules: boolean
  lfs: boolean
  build_memory: number | null
  build_cpus: number | null
  build_minutes: number
}

/** The part of a service without secrets. The complete definition is sealed. */
export interface ReleaseService {
  name: string
  image: string
  digest: string | null
  image_id: string
  /** Hash of the container definition. A service with the same hash is not replaced. */
  hash: string
  replicas: number
  restart: 'always' | 'unless-stopped' | 'on-failure' | 'no'
  retries?: number
  stop_grace_seconds: number
  memory_limit: number | null
  /** Ports that the proxy forwards. `host` is the listen address; empty for all. */
  ports: { host: string; source: number; target: number }[]
  /** Whether the container is expected to exit, and dependents wait for that. */
  completes: boolean
  /** Whether all dependents can run without this service. */
  optional?: boolean
}

export interface PlannedService {
  service: string
  action: (typeof serviceActions)[number]
  reasons: string[]
}

export interface Probe {
  host: string
}

/** A test compares these columns with the migrations. */
export interface Tables {
  instance: { name: string; value: string }
  instance_settings: {
    name: string
    value: Json<unknown> | null
    value_sealed: string | null
    updated_at: Now
  }
  instance_events: {
    id: Id<'event'>
    type: InstanceEventType
    actor_id: string | null
    actor_name: string
    via: string
    address: string | null
    target_kind: string | null
    target_id: string | null
    target_name: string | null
    detail: string | null
    created_at: Now
  }
  users: {
    id: Id<'user'>
    email: string
    name: string
    password_hash: string | null
    email_verified_at: Date | null
    two_factor_secret: string | null
    two_factor_on_at: Date | null
    two_factor_last_step: Generated<number>
    trial_ends_at: Date | null
    instance_owner: Generated<boolean>
    locked_at: Date | null
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
    browser_hash: string | null
    is_signup: Generated<boolean>
  }
  account_events: {
    id: Id<'accountEvent'>
    user_id: Id<'user'>
    type: AccountEventType
    address: string | null
    agent: string | null
    via: 'public' | 'session' | 'api_token' | 'member' | 'operator'
    detail: string | null
    browser_hash: string | null
    count: Generated<number>
    mailed: Generated<boolean>
    created_at: Now
    last_at: Now
  }
  sent_invites: { user_id: Id<'user'> | null; sent_at: Now }
  sent_mails: { user_id: Id<'user'>; kind: 'verify' | 'reset' | 'already_signed_up'; sent_at: Now }
  login_failures: { account: string; address: string; failed_at: Now }
  workspaces: {
    id: Id<'workspace'>
    name: string
    trial_ends_at: Date
    created_at: Now
    locked_at: Date | null
    shell_access: Generated<ShellAccess>
  }
  subscriptions: {
    workspace_id: Id<'workspace'>
    customer_id: string
    subscription_id: string | null
    plan_id: string | null
    plan_since: Date | null
    stripe_status: string | null
    amount: number | null
    currency: string | null
    interval: 'day' | 'week' | 'month' | 'year' | null
    interval_count: number | null
    period_ends_at: Date | null
    trial_ends_at: Date | null
    cancel_at: Date | null
    past_due_since: Date | null
    pay_url: string | null
    owed_amount: number | null
    held_plan_id: string | null
    held_url: string | null
    held_until: Date | null
    checkout_id: string | null
    checkout_until: Date | null
    seen_at: Date | null
    created_at: Now
  }
  stripe_events: { id: string; received_at: Now }
  departed_customers: { customer_id: string; left_at: Now; ended_at: Date | null }
  billing_notices: { workspace_id: Id<'workspace'>; kind: string; about: string; created_at: Now }
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
    expiry_notified: Generated<boolean>
    scope: Scope
    projects: Id<'project'>[] | null
    applications: Id<'application'>[] | null
  }
  stream_tickets: { ticket_hash: string; token_hash: string; expires_at: Date; path: string | null }
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
    relayed: Generated<boolean>
    about: string | null
    created_at: Now
  }
  projects: {
    id: Id<'project'>
    workspace_id: Id<'workspace'>
    name: string
    created_at: Now
    description: Generated<string>
    network: Generated<boolean>
  }
  project_servers: {
    workspace_id: Id<'workspace'>
    project_id: Id<'project'>
    server_id: Id<'server'>
  }
  project_variables: {
    id: Id<'projectVariable'>
    workspace_id: Id<'workspace'>
    project_id: Id<'project'>
    position: number
    key: string
    value_sealed: string
    updated_at: Now
  }
  registries: {
    id: Id<'registry'>
    workspace_id: Id<'workspace'>
    name: string
    kind: (typeof registryKinds)[number]
    host: string
    scope: string
    username: string
    password_sealed: string
    error: string | null
    checked_at: Date | null
    created_at: Now
  }
  templates: {
    id: Id<'template'>
    workspace_id: Id<'workspace'>
    name: string
    description: string
    category: (typeof templateCategories)[number]
    listed: ColumnType<ListedTemplate, string, string>
    template_sealed: string
    compose_sealed: string
    created_at: Now
    updated_at: Now
  }
  feedback: {
    id: Id<'feedback'>
    workspace_id: Id<'workspace'> | null
    user_id: Id<'user'> | null
    email: string
    kind: (typeof feedbackKinds)[number]
    message: string
    page: string
    created_at: Now
  }
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
    docker_api_version: string | null
    trusted_proxies: Generated<string[]>
    compose_version: string | null
    last_seen_at: Date | null
    version: Generated<number>
    watcher: string | null
    watched_until: Date | null
    containers_live: Generated<boolean>
    machine: string | null
    proxy_error: string | null
    http_port_used: number | null
    https_port_used: number | null
    proven_address: string | null
    proven_version: number | null
    setup_consented_at: Date | null
  }
  cloud_tokens: {
    id: Id<'cloudToken'>
    workspace_id: Id<'workspace'>
    name: string
    provider: string
    token_sealed: string
    account: string | null
    error: string | null
    checked_at: Date | null
    created_at: Now
    updated_at: Now
  }
  cloud_servers: {
    server_id: Id<'server'>
    workspace_id: Id<'workspace'>
    cloud_token_id: Id<'cloudToken'> | null
    provider: string
    origin: 'created' | 'imported'
    cloud_id: string | null
    cloud_key_id: string | null
    image: string | null
    image_name: string | null
    step: (typeof cloudSteps)[number] | null
    asked_at: Date | null
    made_at: Date | null
    waited_seconds: Generated<number>
    price_monthly: number | null
    currency: string | null
    status: Generated<(typeof cloudStatuses)[number]>
    address: string | null
    moved_from: string | null
    seen_at: Date | null
    resized_from: string | null
    resized_at: Date | null
    duplicates: Generated<string[]>
    created_at: Now
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
    application_id: string | null
    instance_id: string | null
    revision: Generated<number>
    observed_at: Generated<Date>
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
    key_sealed: string | null
    public_key: string | null
    actor_id: Id<'user'> | null
    actor_name: string
    expires_at: Date
    created_at: Now
    server_id: Id<'server'> | null
  }
  commands: {
    id: Id<'command'>
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    container_id: string | null
    container_name: string | null
    command_sealed: string
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
    as_root: Generated<boolean>
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
    origin: Generated<OutputOrigin | null>
    text_sealed: string
    created_at: Now
    bytes: Generated<number>
    lines: Generated<number>
  }
  saved_logs: {
    id: Id<'savedLog'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    release: number
    deployment_id: Id<'deployment'> | null
    service: Generated<string>
    container_id: string
    container_name: string
    exit_code: number | null
    restarts: Generated<number>
    lines: number
    bytes: number
    truncated: Generated<boolean>
    first_at: Date
    last_at: Date
    saved_at: Now
    /** Position of the last line in a log that may continue; null for the complete log of a removed container. */
    copied_to: string | null
  }
  saved_log_chunks: {
    workspace_id: Id<'workspace'>
    log_id: Id<'savedLog'>
    seq: number
    content_sealed: string
    lines: number
    last_at: Date
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
    server_id: Id<'server'>
    slug: string
    image: string | null
    command_sealed: string | null
    port: number | null
    health: Json<z.output<typeof health>>
    memory_limit: number | null
    cpu_limit: number | null
    replicas: Generated<number>
    restart: Generated<'always' | 'on-failure' | 'no'>
    stop_grace_seconds: Generated<number>
    drain_seconds: Generated<number>
    auto_rollback: Generated<boolean>
    log_days: Generated<number>
    log_megabytes: Generated<number>
    maintenance: Generated<boolean>
    compose_sealed: string | null
    profiles: Generated<string[]>
    services: string[] | null
    stop_first: Generated<boolean>
    wanted: Generated<'running' | 'stopped'>
    release_id: Id<'release'> | null
    deleting_at: Date | null
    revision: Generated<number>
    project_id: Id<'project'> | null
    notes_sealed: string | null
    logo: string | null
  }
  favicons: {
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    release_id: string
    key: string | null
    type: string | null
    content: Buffer | null
    check_at: Date
  }
  variables: {
    id: Id<'variable'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    position: number
    key: string
    value_sealed: string
    updated_at: Now
  }
  labels: {
    id: Id<'label'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    position: number
    key: string
    value_sealed: string
  }
  volumes: {
    id: Id<'volume'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    position: number
    source: string
    target: string
  }
  published_ports: {
    id: Id<'publishedPort'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    service: Generated<string>
    host: Generated<string>
    source: number
    target: number
    created_at: Now
  }
  domains: {
    id: Id<'domain'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    service: Generated<string>
    host: string
    path: string
    port: number | null
    https: boolean
    generated: Generated<boolean>
    created_at: Now
  }
  certificates: {
    id: Id<'certificate'>
    workspace_id: Id<'workspace'>
    host: string
    kind: 'acme' | 'uploaded'
    status: 'waiting' | 'issued' | 'failed'
    chain: string | null
    key_sealed: string | null
    issuer: string | null
    valid_from: Date | null
    expires_at: Date | null
    error: string | null
    failures: Generated<number>
    next_try_at: Date | null
    created_at: Now
  }
  acme_accounts: { directory: string; key_sealed: string; created_at: Now }
  acme_pauses: { directory: string; host: string; until: Date }
  acme_orders: { workspace_id: Id<'workspace'>; created_at: Now; host: string; renewal: Generated<boolean> }
  acme_challenges: {
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    host: string
    token: string
    key_authorization: string
    expires_at: Date
  }
  host_names: {
    host: string
    workspace_id: Id<'workspace'>
    proof: 'server' | 'dns_txt' | null
    verified_at: Date | null
    needs_txt: Generated<boolean>
    problem: string | null
    checked_at: Date | null
    failing_since: Date | null
    created_at: Now
  }
  released_host_names: { host: string; released_at: Now }
  releases: {
    id: Id<'release'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    deployment_id: Id<'deployment'> | null
    number: number
    image: string
    digest: string | null
    image_id: string
    config: Json<OpenConfig>
    config_sealed: string | null
    env_sealed: string
    compose_sealed: string | null
    commit: ColumnType<Commit | null, string | null | undefined, string | null>
    build_mark: string | null
    live_at: Date | null
    kept: Generated<boolean>
    created_at: Now
  }
  instances: {
    id: Id<'instance'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    server_id: Id<'server'>
    deployment_id: Id<'deployment'>
    release_id: Id<'release'>
    service: Generated<string>
    replica: number
    network: string | null
    address: string | null
    project_network: string | null
    exposes_port: Generated<boolean>
    port: number | null
    container_id: string | null
    state: 'starting' | 'serving' | 'held' | 'draining' | 'stopped'
    slot: number | null
    drain_until: Date | null
    drained_by: Id<'deployment'> | null
    log_place: string | null
    created_at: Now
  }
  deployments: {
    id: Id<'deployment'>
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    server_id: Id<'server'>
    type: string
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
    message: string | null
    tag: string | null
    errors_sealed: string | null
    actor_id: string | null
    actor_name: string
    created_at: Now
    release_id: Id<'release'> | null
    config: ColumnType<OpenConfig | null, string | undefined, string>
    config_sealed: string | null
    env_sealed: string | null
    compose_sealed: string | null
    allow_host_access: Generated<boolean>
    plan: ColumnType<PlannedService[] | null, string | undefined, string>
    job_id: Id<'job'> | null
    switched_at: Date | null
    replaced_release_id: Id<'release'> | null
    replaced_wanted: 'running' | 'stopped' | null
    cancel_requested_at: Date | null
    log_cut: Generated<number>
    started_at: Date | null
    finished_at: Date | null
    watched_until: Date | null
    crashed_at: Date | null
    crash_reason: string | null
    made_number: number | null
    commit: ColumnType<Commit | null, string | null | undefined, string | null>
    rebuild: Generated<boolean>
    followed: ColumnType<FollowedOutput | null, string | null | undefined, string | null>
    reported_status: string | null
    log_deleted_at: Date | null
  }
  deployment_steps: {
    workspace_id: Id<'workspace'>
    deployment_id: Id<'deployment'>
    position: number
    name: (typeof stepNames)[number]
    status: (typeof stepStatuses)[number]
    error_sealed: string | null
    started_at: Date | null
    finished_at: Date | null
  }
  application_samples: {
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    at: Date
    requests: number
    status_2xx: number
    status_3xx: number
    status_4xx: number
    status_5xx: number
    bytes_in: number
    bytes_out: number
    latency_ms: number
    sessions: number
    cpu: number
    memory_used: number
    slower_0: number | null
    slower_5: number | null
    slower_10: number | null
    slower_20: number | null
    slower_50: number | null
    slower_100: number | null
    slower_200: number | null
    slower_500: number | null
    slower_1000: number | null
    slower_2000: number | null
    slower_5000: number | null
    slower_10000: number | null
  }
  application_rollups: {
    workspace_id: Id<'workspace'>
    application_id: Id<'application'>
    at: Date
    requests: number
    status_2xx: number
    status_3xx: number
    status_4xx: number
    status_5xx: number
    bytes_in: number
    bytes_out: number
    latency_ms: number
    sessions: number
    cpu: number
    memory_used: number
    slower_0: number | null
    slower_5: number | null
    slower_10: number | null
    slower_20: number | null
    slower_50: number | null
    slower_100: number | null
    slower_200: number | null
    slower_500: number | null
    slower_1000: number | null
    slower_2000: number | null
    slower_5000: number | null
    slower_10000: number | null
  }
  github_apps: {
    url: string
    app_id: number
    slug: string
    name: string
    client_id: string
    client_secret_sealed: string
    webhook_secret_sealed: string
    key_sealed: string
    created_at: Now
  }
  integrations: {
    id: Id<'integration'>
    workspace_id: Id<'workspace'>
    provider: string
    installation_id: number
    account_id: number
    account: string
    account_type: string
    avatar: string | null
    repositories: 'all' | 'selected'
    status: Generated<'active' | 'suspended' | 'removed'>
    created_at: Now
  }
  sources: {
    application_id: Id<'application'>
    workspace_id: Id<'workspace'>
    integration_id: Id<'integration'> | null
    repository_id: number
    repository: string
    branch: string
    folder: string
    builder: (typeof builders)[number]
    dockerfile: string
    generated_sealed: string | null
    target: string
    build_args_sealed: string | null
    build_secrets: string[]
    submodules: boolean
    lfs: boolean
    build_memory: number | null
    build_cpus: number | null
    build_minutes: number
    deploy_on: (typeof deployOn)[number]
    tags: string
    watch_paths: string[]
  }
  hooks: {
    application_id: Id<'application'>
    workspace_id: Id<'workspace'>
    name: string
    secret_sealed: string
    created_at: Now
    used_at: Date | null
  }
  deliveries: {
    id: Id<'delivery'>
    workspace_id: Id<'workspace'>
    hook: 'github' | 'deploy'
    delivery: string
    event: string
    queue: string
    application_id: Id<'application'> | null
    installation_id: number | null
    repository: string | null
    ref: string | null
    sha: string | null
    message: string | null
    sender: string | null
    headers: Json<Record<string, string>>
    payload_sealed: string
    status: Generated<'waiting' | 'deployed' | 'ignored' | 'failed'>
    redelivery_of: Id<'delivery'> | null
    tagged_at: Date | null
    body_hash: string | null
    pushed_at: Date | null
    is_truncated: Generated<boolean>
    received_at: Now
    handled_at: Date | null
  }
  outcomes: {
    workspace_id: Id<'workspace'>
    delivery_id: Id<'delivery'>
    application_id: Id<'application'> | null
    application_name: string | null
    status: 'deployed' | 'ignored' | 'failed'
    summary: string
    deployment_id: Id<'deployment'> | null
    position: number
  }
  notifications: {
    id: Id<'notification'>
    workspace_id: Id<'workspace'>
    name: string
    type: string
    created_at: Now
    enabled: Generated<boolean>
    settings_sealed: string | null
    events: Generated<Notice[]>
    paused_at: Date | null
    reason: string | null
    failing_since: Date | null
    refused_since: Date | null
    failures: Generated<number>
    next_try_at: Date | null
    last_sent_at: Date | null
    updated_at: Now
    refusals: Generated<number>
  }
  alerts: {
    id: Id<'alert'>
    workspace_id: Id<'workspace'>
    name: string
    kind: AlertKindName
    enabled: Generated<boolean>
    severity: Severity
    comparison: 'above' | 'below' | null
    threshold: number | null
    clear_threshold: number | null
    for_seconds: number
    clear_seconds: number
    window_seconds: number | null
    cooldown_seconds: number
    repeat_seconds: number | null
    http_check: ColumnType<z.output<typeof httpCheck> | null, string | null | undefined, string | null>
    scope_kind: AlertScope
    scope_id: string | null
    scope_container: string | null
    all_channels: Generated<boolean>
    muted_until: Date | null
    windows: Json<z.output<typeof maintenanceWindow>[]>
    created_at: Now
    updated_at: Now
  }
  alert_channels: {
    workspace_id: Id<'workspace'>
    alert_id: Id<'alert'>
    notification_id: Id<'notification'>
  }
  incidents: {
    id: Id<'incident'>
    workspace_id: Id<'workspace'>
    alert_id: Id<'alert'> | null
    alert_name: string
    kind: AlertKindName
    severity: Severity
    state: 'pending' | 'firing' | 'resolved'
    summary: string
    subject_kind: 'server' | 'container' | 'application' | 'certificate'
    subject_id: string
    subject_name: string
    server_id: Id<'server'> | null
    application_id: Id<'application'> | null
    deployment_id: Id<'deployment'> | null
    value: number | null
    threshold: number | null
    cause_sealed: string | null
    began_at: Date
    fired_at: Date | null
    notified_at: Date | null
    notification_count: Generated<number>
    muted_until: Date | null
    resolved_at: Date | null
    resolved_reason: string | null
  }
  container_troubles: {
    workspace_id: Id<'workspace'>
    server_id: Id<'server'>
    container_id: string
    kind: 'restart' | 'oom'
    times: number
    at: Now
  }
  checks: {
    workspace_id: Id<'workspace'>
    alert_id: Id<'alert'>
    application_id: Id<'application'>
    at: Date
    ok: boolean
    url: string
    status: number | null
    latency_ms: number | null
    error: string | null
    probes: Json<Probe[]>
  }
  messages: {
    id: Id<'message'>
    workspace_id: Id<'workspace'>
    notification_id: Id<'notification'>
    position: GeneratedAlways<number>
    key: string
    kind: z.output<typeof message>['kind']
    event: string
    severity: z.output<typeof message>['severity']
    incident_id: Id<'incident'> | null
    title: string
    content_sealed: string
    status: Generated<'waiting' | 'sent' | 'failed'>
    tries: Generated<number>
    answers_sealed: string | null
    created_at: Now
    waiting_since: Now
    sent_at: Date | null
  }
  outside_letters: { workspace_id: Id<'workspace'>; counted_at: Now; letters: number }
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
