export const paths = {
  signup: '/signup',
  login: '/login',
  loginSuccess: '/login/success',
  join: '/join-workspace',
  verify: '/verify',
  forgotPassword: '/forgot-password',
  home: '/dashboard',
  projects: '/dashboard/projects',
  servers: '/dashboard/servers',
  createServer: '/dashboard/servers/create',
  importServers: '/dashboard/import/servers',
  applications: '/dashboard/applications',
  createApplication: '/dashboard/applications/create',
  templates: '/dashboard/templates',
  notifications: '/dashboard/notifications',
  integrations: '/dashboard/integrations',
  workspace: '/dashboard/workspace',
  settings: '/dashboard/settings',
  instance: '/dashboard/instance',
  billing: '/dashboard/billing',
  choosePlan: '/dashboard/billing/choose-plan',
  billingSuccess: '/dashboard/billing/success',
} as const

type InstanceTab = 'people' | 'workspaces' | 'host-names' | 'settings' | 'audit'

export const instancePath = (tab: InstanceTab) => `${paths.instance}/${tab}`

export type ServerTab = 'containers' | 'images' | 'commands' | 'terminal' | 'settings'

/** Returns the path of a server. The default tab is the overview. */
export const serverPath = (id: string, tab?: ServerTab) =>
  [paths.servers, encodeURIComponent(id), ...(tab ? [tab] : [])].join('/')

export const retryCreateServerPath = (id: string) => `${paths.createServer}?again=${encodeURIComponent(id)}`

export const cloudTokensPath = `${paths.settings}/cloud-tokens`
export const registriesPath = `${paths.settings}/registries`
export const domainsPath = `${paths.workspace}/domains`

export const auditPath = (q: string) => `${paths.workspace}/audit?q=${encodeURIComponent(q)}`

type ContainerTab = 'logs' | 'commands' | 'terminal'

/** Returns the path of a container. The default tab is the overview. */
export const containerPath = (serverId: string, id: string, tab?: ContainerTab) =>
  [serverPath(serverId, 'containers'), encodeURIComponent(id), ...(tab ? [tab] : [])].join('/')

export const newServerApplicationPath = (serverId: string) =>
  `${paths.createApplication}?server=${encodeURIComponent(serverId)}`

export const newProjectApplicationPath = (projectId: string) =>
  `${paths.createApplication}?project=${encodeURIComponent(projectId)}`

type ProjectTab = 'variables' | 'settings'

/** Returns the path of a project. The default tab is the overview. */
export const projectPath = (id: string, tab?: ProjectTab) =>
  [paths.projects, encodeURIComponent(id), ...(tab ? [tab] : [])].join('/')

export type ApplicationTab = 'deployments' | 'logs' | 'environment' | 'networking' | 'metrics' | 'settings'

/** Returns the path of an application. The default tab is the overview. */
export const applicationPath = (id: string, tab?: ApplicationTab) =>
  [paths.applications, encodeURIComponent(id), ...(tab ? [tab] : [])].join('/')

/** Returns a value that selects all containers of a service where a container ID is expected. */
export const serviceLogTarget = (service: string) => `service:${service}`

export const serviceLogsPath = (applicationId: string, service: string) =>
  `${applicationPath(applicationId, 'logs')}?container=${encodeURIComponent(serviceLogTarget(service))}`

export const newDomainPath = (applicationId: string, service: string) =>
  `${applicationPath(applicationId, 'networking')}?dialog=${encodeURIComponent(`add-domain-${service}`)}`

export const deliveriesPath = (applicationId?: string) =>
  `${paths.integrations}/deliveries${applicationId === undefined ? '' : `?application_id=${encodeURIComponent(applicationId)}`}`

export const deploymentPath = (applicationId: string, id: string) =>
  `${applicationPath(applicationId, 'deployments')}?deploymentId=${encodeURIComponent(id)}`

export const deploymentPagePath = (applicationId: string, id: string) =>
  `${applicationPath(applicationId, 'deployments')}/${encodeURIComponent(id)}`

/** Returns a path that opens the deployment over the overview, which shows the next steps once the application runs. */
export const firstDeploymentPath = (applicationId: string, id: string) =>
  `${applicationPath(applicationId)}?deploymentId=${encodeURIComponent(id)}`

/** Returns the path of the page that deploys a template, or of its editor. */
export const templatePath = (id: string, place?: 'edit') =>
  [paths.templates, encodeURIComponent(id), ...(place ? [place] : [])].join('/')

/** Returns the path of the template editor, empty or filled from an application or another template. */
export const newTemplatePath = (from: { application?: string; template?: string } = {}) =>
  [`${paths.templates}/new`, new URLSearchParams(from).toString()].filter(Boolean).join('?')

export type AlertsTab = 'alerts' | 'history' | 'channels'

/** Returns the path of the Alerts screen. The default tab lists firing incidents. */
export const alertsPath = (tab?: AlertsTab) => [paths.notifications, ...(tab ? [tab] : [])].join('/')

export const incidentPath = (id: string) => `${paths.notifications}?incident=${encodeURIComponent(id)}`

/** Returns the path of a channel. The default tab is the overview. */
export const channelPath = (id: string, tab?: 'settings') =>
  [paths.notifications, encodeURIComponent(id), ...(tab ? [tab] : [])].join('/')

export const newAlertPath = `${alertsPath('alerts')}?dialog=new-alert`
export const newChannelPath = `${alertsPath('channels')}?dialog=new-channel`
