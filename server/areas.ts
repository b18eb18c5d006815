import { jobs as alertJobs, schedules as alertSchedules } from './areas/alerts/jobs.ts'
import { listeners as alertListeners } from './areas/alerts/listeners.ts'
import { routes as alerts } from './areas/alerts/routes.ts'
import { jobs as authJobs, schedules as authSchedules } from './areas/auth/jobs.ts'
import { jobs as apiTokenJobs, schedules as apiTokenSchedules } from './areas/api-tokens/jobs.ts'
import { routes as apiTokens } from './areas/api-tokens/routes.ts'
import { routes as applications } from './areas/applications/routes.ts'
import { routes as audit } from './areas/audit/routes.ts'
import { routes as auth } from './areas/auth/routes.ts'
import { jobs as billingJobs, schedules as billingSchedules } from './areas/billing/jobs.ts'
import { routes as billing } from './areas/billing/routes.ts'
import { jobs as commandJobs, schedules as commandSchedules } from './areas/commands/jobs.ts'
import { routes as cloudTokens } from './areas/cloud-tokens/routes.ts'
import { jobs as cloudJobs, schedules as cloudSchedules } from './areas/clouds/jobs.ts'
import { listeners as cloudListeners } from './areas/clouds/listeners.ts'
import { routes as clouds } from './areas/clouds/routes.ts'
import { routes as commands } from './areas/commands/routes.ts'
import { routes as compose } from './areas/compose/routes.ts'
import { routes as containers } from './areas/containers/routes.ts'
import { watchers as containerWatchers } from './areas/containers/watch.ts'
import { jobs as domainJobs, schedules as domainSchedules } from './areas/domains/jobs.ts'
import { routes as domains } from './areas/domains/routes.ts'
import { operationJobs, operationSchedules } from './areas/deployments/operation-jobs.ts'
import { jobs as deployJobs, schedules as deploySchedules } from './areas/deployments/jobs.ts'
import { routes as deployments } from './areas/deployments/routes.ts'
import { watchers as deploymentWatchers } from './areas/deployments/watch.ts'
import { jobs as imageJobs, schedules as imageSchedules } from './areas/images/jobs.ts'
import { routes as feedback } from './areas/feedback/routes.ts'
import { routes as home } from './areas/home/routes.ts'
import { routes as images } from './areas/images/routes.ts'
import { jobs as importJobs, schedules as importSchedules } from './areas/imports/jobs.ts'
import { routes as imports } from './areas/imports/routes.ts'
import { routes as instance } from './areas/instance/routes.ts'
import { routes as integrations } from './areas/integrations/routes.ts'
import { routes as logs } from './areas/logs/routes.ts'
import { watchers as metricsWatchers } from './areas/metrics/collect.ts'
import { jobs as metricsJobs, schedules as metricsSchedules } from './areas/metrics/jobs.ts'
import { routes as metrics } from './areas/metrics/routes.ts'
import { jobs as notificationJobs, schedules as notificationSchedules } from './areas/notifications/jobs.ts'
import { listeners as notificationListeners } from './areas/notifications/listeners.ts'
import { routes as notifications } from './areas/notifications/routes.ts'
import { routes as projects } from './areas/projects/routes.ts'
import { routes as providers } from './areas/providers/routes.ts'
import { jobs as proxyJobs, schedules as proxySchedules } from './areas/proxies/jobs.ts'
import { watchers as proxyWatchers } from './areas/proxies/watch.ts'
import { routes as registries } from './areas/registries/routes.ts'
import { routes as servers } from './areas/servers/routes.ts'
import { jobs as setUpJobs, schedules as setUpSchedules } from './areas/servers/set-up/jobs.ts'
import { routes as templates } from './areas/templates/routes.ts'
import { jobs as terminalJobs, schedules as terminalSchedules } from './areas/terminals/jobs.ts'
import { routes as terminals } from './areas/terminals/routes.ts'
import { jobs as webhookJobs, schedules as webhookSchedules } from './areas/webhooks/jobs.ts'
import { listeners as webhookListeners } from './areas/webhooks/listeners.ts'
import { routes as webhooks } from './areas/webhooks/routes.ts'
import { routes as workspaces } from './areas/workspaces/routes.ts'

/** The table of contents: the areas, lowest first. One may use those before it, and listens to nobody but events. */
export const areas = [
  { name: 'auth', routes: auth, jobs: authJobs, schedules: authSchedules },
  { name: 'workspaces', routes: workspaces },
  { name: 'billing', routes: billing, jobs: billingJobs, schedules: billingSchedules },
  { name: 'api-tokens', routes: apiTokens, jobs: apiTokenJobs, schedules: apiTokenSchedules },
  { name: 'integrations', routes: integrations },
  { name: 'registries', routes: registries },
  { name: 'providers', routes: providers },
  { name: 'cloud-tokens', routes: cloudTokens },
  { name: 'outputs', routes: [] },
  { name: 'servers', routes: servers, jobs: setUpJobs, schedules: setUpSchedules },
  { name: 'imports', routes: imports, jobs: importJobs, schedules: importSchedules },
  {
    name: 'clouds',
    routes: clouds,
    jobs: cloudJobs,
    schedules: cloudSchedules,
    listeners: cloudListeners,
  },
  { name: 'containers', routes: containers, watchers: containerWatchers },
  { name: 'images', routes: images, jobs: imageJobs, schedules: imageSchedules },
  { name: 'logs', routes: logs },
  { name: 'commands', routes: commands, jobs: commandJobs, schedules: commandSchedules },
  { name: 'terminals', routes: terminals, jobs: terminalJobs, schedules: terminalSchedules },
  { name: 'compose', routes: compose },
  { name: 'applications', routes: applications },
  { name: 'projects', routes: projects },
  {
    name: 'proxies',
    routes: [],
    jobs: proxyJobs,
    schedules: proxySchedules,
    watchers: proxyWatchers,
  },
  { name: 'domains', routes: domains, jobs: domainJobs, schedules: domainSchedules },
  {
    name: 'deployments',
    routes: deployments,
    jobs: [...deployJobs, ...operationJobs],
    schedules: [...deploySchedules, ...operationSchedules],
    watchers: deploymentWatchers,
  },
  {
    name: 'webhooks',
    routes: webhooks,
    jobs: webhookJobs,
    schedules: webhookSchedules,
    listeners: webhookListeners,
  },
  { name: 'templates', routes: templates },
  {
    name: 'metrics',
    routes: metrics,
    jobs: metricsJobs,
    schedules: metricsSchedules,
    watchers: metricsWatchers,
  },
  {
    name: 'alerts',
    routes: alerts,
    jobs: alertJobs,
    schedules: alertSchedules,
    listeners: alertListeners,
  },
  {
    name: 'notifications',
    routes: notifications,
    jobs: notificationJobs,
    schedules: notificationSchedules,
    listeners: notificationListeners,
  },
  { name: 'feedback', routes: feedback },
  { name: 'home', routes: home },
  { name: 'instance', routes: instance },
  { name: 'audit', routes: audit },
]
