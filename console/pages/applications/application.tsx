import { useQuery } from '@tanstack/react-query'
import { Navigate, Route, Routes, useLocation, useParams } from 'react-router'
import { type Role, roleAllows } from '../../../contract/shared/permissions.ts'
import { type ApplicationAction, ApplicationActions } from '../../areas/applications/application-actions.tsx'
import { ApplicationBadge, DeployingBadge } from '../../areas/applications/application-badge.tsx'
import { ApplicationLogo } from '../../areas/applications/application-logo.tsx'
import { isDeploying } from '../../areas/applications/application-status.ts'
import { type ApplicationDetails, applicationQuery } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { lazyPage } from '../../lib/lazy-page.tsx'
import { isNotFound } from '../../lib/http/api-error.ts'
import { useTitle } from '../../lib/use-title.ts'
import { applicationPath, paths } from '../../paths.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ApplicationLinks, ApplicationSummary, Uptime } from './application-header.tsx'
import { ApplicationDialogs } from './application-dialogs.tsx'
import { ApplicationNotices } from './application-notices.tsx'
import { ApplicationOverviewPage } from './application-overview.tsx'
import { applicationTabs, movedTabs } from './application-tabs.ts'
import { NotAllowed, ResourceFallback } from '../page-fallback.tsx'
import { DeploymentDialogRoute } from './deployment-dialog-route.tsx'
import { useDeploymentOutcome } from './use-deployment-outcome.ts'
import { useApplicationActions } from './use-application-actions.ts'

const DeploymentPage = lazyPage(async () => (await import('./deployment-details.tsx')).DeploymentPage)

const parents = [{ label: 'Applications', to: paths.applications }]
const words = {
  gone: 'Application not found',
  why: 'The application was deleted or belongs to another workspace.',
  others: { to: paths.applications, label: 'All applications' },
  failed: 'Could not load application',
}

export function ApplicationPage() {
  const { id = '' } = useParams()
  return <OneApplication key={id} id={id} />
}

function OneApplication({ id }: { id: string }) {
  const query = useQuery(applicationQuery(id))
  const { role } = useWorkspace()
  const title = query.data?.name ?? `Application ${id}`
  const outcome = useDeploymentOutcome(query.data)
  useTitle(query.isPending ? 'Application' : (outcome ?? title))
  // Keep showing the last known data while requests fail.
  if (!query.data || isNotFound(query.error))
    return <ResourceFallback {...{ title, parents, query, words }} />
  return <Shown application={query.data} role={role} />
}

function Shown({ application, role }: { application: ApplicationDetails; role: Role }) {
  const { id, name, deployment } = application
  const acts = useApplicationActions(id)
  const deploys = roleAllows(role, 'applications.deploy')
  const manages = roleAllows(role, 'applications.manage')
  return (
    <>
      <PageHeader
        title={name}
        icon={<ApplicationLogo application={application} size="large" />}
        parents={parents}
        description={<ApplicationSummary application={application} />}
        badge={
          <>
            <ApplicationBadge application={application} />
            <Uptime application={application} />
            {deployment && isDeploying(application) && <DeployingBadge deployment={deployment} />}
          </>
        }
        action={
          <>
            <ApplicationLinks application={application} />
            {deploys && (
              <ApplicationActions
                application={application}
                acting={acts.acting}
                onAct={(act) => {
                  if (act === 'deploy' && application.crashed_release) acts.ask('deploy-crashed')
                  else if (asks(act, application)) acts.ask(act)
                  else acts.act(act)
                }}
                onRollBack={() => acts.ask('roll-back')}
                onDelete={manages ? () => acts.ask('delete') : undefined}
              />
            )}
          </>
        }
      />
      <ApplicationNotices application={application} acts={acts} deploys={deploys} manages={manages} />
      <Tabs
        label="Application"
        tabs={[
          { to: applicationPath(id), label: 'Overview', end: true },
          ...applicationTabs
            .filter(({ needs }) => roleAllows(role, needs))
            .map(({ tab, label }) => ({ to: applicationPath(id, tab), label })),
        ]}
      />
      <Routes>
        <Route index element={<ApplicationOverviewPage application={application} />} />
        {applicationTabs.map(({ tab, needs, Page }) => (
          <Route
            key={tab}
            path={tab}
            element={
              roleAllows(role, needs) ? <Page application={application} /> : <NotAllowed needs={needs} />
            }
          />
        ))}
        <Route path="deployments/:deploymentId" element={<DeploymentPage />} />
        {Object.entries(movedTabs).map(([tab, to]) => (
          <Route key={tab} path={tab} element={<Moved to={applicationPath(id, to)} section={tab} />} />
        ))}
        <Route path="*" element={<Navigate to={applicationPath(id)} replace />} />
      </Routes>
      <ApplicationDialogs application={application} acts={acts} deploys={deploys} manages={manages} />
      <DeploymentDialogRoute />
    </>
  )
}

/** Redirects an old link. The search of the URL is kept, because it may open a dialog. */
function Moved({ to, section }: { to: string; section: string }) {
  const { search } = useLocation()
  return <Navigate to={`${to}${search}#${section}`} replace />
}

const asks = (act: ApplicationAction, { source }: ApplicationDetails) =>
  act === 'stop' || (act === 'deploy' && isCompose(source.type))
