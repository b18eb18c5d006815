import type { Area } from './area.ts'
import { alertsArea } from './areas/alerts/area.ts'
import { apiTokensArea } from './areas/api-tokens/area.ts'
import { applicationsArea } from './areas/applications/area.ts'
import { auditArea } from './areas/audit/area.ts'
import { authArea } from './areas/auth/area.ts'
import { billingArea } from './areas/billing/area.ts'
import { cloudTokensArea } from './areas/cloud-tokens/area.ts'
import { cloudsArea } from './areas/clouds/area.ts'
import { commandsArea } from './areas/commands/area.ts'
import { composeArea } from './areas/compose/area.ts'
import { containersArea } from './areas/containers/area.ts'
import { deploymentsArea } from './areas/deployments/area.ts'
import { domainsArea } from './areas/domains/area.ts'
import { faviconsArea } from './areas/favicons/area.ts'
import { feedbackArea } from './areas/feedback/area.ts'
import { homeArea } from './areas/home/area.ts'
import { imagesArea } from './areas/images/area.ts'
import { importsArea } from './areas/imports/area.ts'
import { instanceArea } from './areas/instance/area.ts'
import { integrationsArea } from './areas/integrations/area.ts'
import { logsArea } from './areas/logs/area.ts'
import { metricsArea } from './areas/metrics/area.ts'
import { notificationsArea } from './areas/notifications/area.ts'
import { outputsArea } from './areas/outputs/area.ts'
import { projectsArea } from './areas/projects/area.ts'
import { providersArea } from './areas/providers/area.ts'
import { proxiesArea } from './areas/proxies/area.ts'
import { registriesArea } from './areas/registries/area.ts'
import { savedLogsArea } from './areas/saved-logs/area.ts'
import { serversArea } from './areas/servers/area.ts'
import { templatesArea } from './areas/templates/area.ts'
import { terminalsArea } from './areas/terminals/area.ts'
import { webhooksArea } from './areas/webhooks/area.ts'
import { workspacesArea } from './areas/workspaces/area.ts'

/** All areas, lowest first. An area uses only earlier areas, and reacts to later ones through events. */
export const areas: readonly Area[] = [
  authArea,
  workspacesArea,
  billingArea,
  apiTokensArea,
  integrationsArea,
  registriesArea,
  providersArea,
  cloudTokensArea,
  outputsArea,
  serversArea,
  importsArea,
  cloudsArea,
  containersArea,
  imagesArea,
  logsArea,
  commandsArea,
  terminalsArea,
  composeArea,
  applicationsArea,
  projectsArea,
  proxiesArea,
  domainsArea,
  savedLogsArea,
  deploymentsArea,
  webhooksArea,
  templatesArea,
  metricsArea,
  alertsArea,
  notificationsArea,
  faviconsArea,
  feedbackArea,
  homeArea,
  instanceArea,
  auditArea,
]
