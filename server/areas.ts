import { jobs as authJobs, schedules as authSchedules } from './areas/auth/jobs.ts'
import { routes as apiTokens } from './areas/api-tokens/routes.ts'
import { routes as applications } from './areas/applications/routes.ts'
import { routes as audit } from './areas/audit/routes.ts'
import { routes as auth } from './areas/auth/routes.ts'
import { routes as deployments } from './areas/deployments/routes.ts'
import { routes as notifications } from './areas/notifications/routes.ts'
import { routes as projects } from './areas/projects/routes.ts'
import { routes as servers } from './areas/servers/routes.ts'
import { routes as workspaces } from './areas/workspaces/routes.ts'

/** The table of contents: the areas, lowest first. One may use those before it, and listens to nobody but events. */
export const areas = [
  { name: 'auth', routes: auth, jobs: authJobs, schedules: authSchedules },
  { name: 'workspaces', routes: workspaces },
  { name: 'api-tokens', routes: apiTokens },
  { name: 'projects', routes: projects },
  { name: 'servers', routes: servers },
  { name: 'applications', routes: applications },
  { name: 'deployments', routes: deployments },
  { name: 'notifications', routes: notifications },
  { name: 'audit', routes: audit },
]
