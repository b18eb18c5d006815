import * as alerts from './alerts.ts'
import * as apiTokens from './api-tokens.ts'
import * as applicationEntries from './application-entries.ts'
import * as applications from './applications.ts'
import * as audit from './audit.ts'
import * as auth from './auth.ts'
import * as billing from './billing.ts'
import * as cloudTokens from './cloud-tokens.ts'
import * as commands from './commands.ts'
import * as compose from './compose.ts'
import * as containers from './containers.ts'
import * as deployments from './deployments.ts'
import * as domains from './domains.ts'
import type { Endpoint } from './endpoint.ts'
import * as feedback from './feedback.ts'
import * as health from './health.ts'
import * as home from './home.ts'
import * as images from './images.ts'
import * as imports from './imports.ts'
import * as incidents from './incidents.ts'
import * as instance from './instance.ts'
import * as integrations from './integrations.ts'
import * as live from './live.ts'
import * as logs from './logs.ts'
import * as metrics from './metrics.ts'
import * as notifications from './notifications.ts'
import * as projects from './projects.ts'
import * as providers from './providers.ts'
import * as registries from './registries.ts'
import * as releases from './releases.ts'
import * as savedLogs from './saved-logs.ts'
import * as servers from './servers.ts'
import * as setups from './setups.ts'
import * as templates from './templates.ts'
import * as terminals from './terminals.ts'
import * as user from './user.ts'
import * as webhooks from './webhooks.ts'
import * as workspaces from './workspaces.ts'

const areas = {
  health,
  auth,
  user,
  'api-tokens': apiTokens,
  workspaces,
  billing,
  projects,
  integrations,
  registries,
  'cloud-tokens': cloudTokens,
  providers,
  servers,
  setups,
  imports,
  containers,
  images,
  logs,
  commands,
  terminals,
  metrics,
  applications,
  'application-entries': applicationEntries,
  compose,
  domains,
  'saved-logs': savedLogs,
  deployments,
  releases,
  webhooks,
  templates,
  alerts,
  incidents,
  notifications,
  feedback,
  home,
  instance,
  audit,
  live,
}

type Areas = typeof areas
type Exported = { [A in keyof Areas]: Areas[A][keyof Areas[A]] }[keyof Areas]
type AnyEndpoint = Extract<Exported, { key: string; method: string }>

/** Every endpoint by its key, for the console's client: `Api['GET /v1/user']`. */
export type Api = { [E in AnyEndpoint as E['key']]: E }

export interface NamedEndpoint extends Endpoint {
  name: string
  area: string
}

export const api: NamedEndpoint[] = Object.entries(areas).flatMap(([area, exported]) =>
  Object.entries(exported).flatMap(([name, value]) =>
    typeof value === 'object' && 'key' in value && 'method' in value
      ? [{ ...(value as Endpoint), name, area }]
      : [],
  ),
)
