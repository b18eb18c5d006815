import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { ApplicationNotice, UndeployedChangesBar } from '../../areas/applications/application-notice.tsx'
import { isDeploying } from '../../areas/applications/application-status.ts'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { hasCrashed } from '../../areas/deployments/deployment-labels.ts'
import { type Deployment, deploymentsQuery } from '../../areas/deployments/queries.ts'
import { deploymentPagePath, deploymentPath, paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice, NoticeStack } from '../../ui/notice.tsx'
import { Pending } from '../../ui/skeleton.tsx'
import type { ApplicationActionHandlers } from './use-application-actions.ts'
import { integrationProblem } from '../../areas/integrations/integration-labels.ts'
import { integrationsQuery } from '../../areas/integrations/queries.ts'

interface ApplicationNoticesProps {
  application: ApplicationDetails
  acts: ApplicationActionHandlers
  deploys: boolean
  manages: boolean
}

export function ApplicationNotices({ application, acts, deploys, manages }: ApplicationNoticesProps) {
  const { acting, act, ask } = acts
  const { pathname } = useLocation()
  const { data: deployments, isPending } = useInfiniteQuery(deploymentsQuery(application.id))
  const latest = deployments?.[0]
  // The next deployment or rollback shows dismissed notices again.
  const version = [application.id, application.release?.id, application.deployment?.id].join(' ')
  return (
    <NoticeStack dismissedUntil={version}>
      {isPending && <Pending />}
      <ApplicationNotice
        application={application}
        crashed={latest ? wordsOf(latest) : application.deployment?.crashed ? [] : undefined}
        onPutBack={deploys ? () => act('restart') : undefined}
        puttingBack={acting === 'restart'}
        onRollBack={deploys ? () => ask('roll-back') : undefined}
      />
      <ApplicationAccount application={application} />
      {latest?.status === 'failed' && pathname !== deploymentPagePath(application.id, latest.id) && (
        <Notice
          tone="red"
          title="The latest deployment failed"
          action={<ButtonLink to={deploymentPath(application.id, latest.id)}>View deployment</ButtonLink>}
        >
          {latest.errors[0] ?? latest.message}
        </Notice>
      )}
      {/* A deployment in progress may include the changes, so do not offer them meanwhile. */}
      {application.changed && !isDeploying(application) && (
        <UndeployedChangesBar
          release={application.release}
          crashed={application.crashed_release}
          onShow={() => ask('changes')}
          onReset={manages ? () => ask('reset-configuration') : undefined}
        />
      )}
    </NoticeStack>
  )
}

const wordsOf = (latest: Deployment) => (hasCrashed(latest) ? latest.errors : undefined)

/** Notice about the GitHub account. There is none while Slipway has access to the repository. */
function ApplicationAccount({ application }: { application: ApplicationDetails }) {
  const { name, repository } = application
  const { data: accounts, isLoading } = useInfiniteQuery({
    ...integrationsQuery,
    enabled: repository !== null,
  })
  if (isLoading) return <Pending />
  if (!repository || !accounts) return null
  const account = accounts.find(({ id }) => id === repository.integration_id)
  const trouble = account
    ? integrationProblem(account)?.summary
    : `The GitHub account of ${repository.repository} is disconnected. Reconnect the account to build and deploy on push.`
  if (trouble === undefined) return null
  return (
    <Notice
      tone="yellow"
      title={`Slipway cannot build ${name}`}
      action={<ButtonLink to={paths.integrations}>Open integrations</ButtonLink>}
    >
      {trouble} The live release keeps running.
    </Notice>
  )
}
