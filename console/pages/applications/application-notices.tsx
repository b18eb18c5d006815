import { useInfiniteQuery } from '@tanstack/react-query'
import { ApplicationNotice } from '../../areas/applications/application-notice.tsx'
import { isDeploying } from '../../areas/applications/application-words.ts'
import { ChangedBar } from '../../areas/applications/changed-bar.tsx'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { hasCrashed } from '../../areas/deployments/deployment-labels.ts'
import { type Deployment, deploymentsQuery } from '../../areas/deployments/queries.ts'
import { deploymentPath, paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { ApplicationActs } from './use-application-acts.ts'
import { troubleOf } from '../../areas/integrations/integration-words.ts'
import { integrationsQuery } from '../../areas/integrations/queries.ts'

interface ApplicationNoticesProps {
  application: ApplicationDetails
  acts: ApplicationActs
  deploys: boolean
}

/** What is not as it should be or as it was wanted, above the application's tabs. */
export function ApplicationNotices({ application, acts, deploys }: ApplicationNoticesProps) {
  const { acting, act, ask } = acts
  const latest = useInfiniteQuery(deploymentsQuery(application.id)).data?.[0]
  return (
    <>
      <ApplicationNotice
        application={application}
        died={latest ? wordsOf(latest) : application.deployment?.died ? [] : undefined}
        onPutBack={deploys ? () => act('restart') : undefined}
        puttingBack={acting === 'restart'}
        onRollBack={deploys ? () => ask('roll-back') : undefined}
      />
      <ApplicationAccount application={application} />
      {latest?.status === 'failed' && (
        <Notice
          tone="red"
          title="The latest deployment failed"
          action={<ButtonLink to={deploymentPath(application.id, latest.id)}>See why</ButtonLink>}
        >
          {latest.errors[0] ?? latest.message}
        </Notice>
      )}
      {/* A deployment under way may well bring what was changed. */}
      {application.changed && !isDeploying(application) && (
        <ChangedBar release={application.release} onShow={() => ask('changes')} />
      )}
    </>
  )
}

/** What it said when it died, if it did. */
const wordsOf = (latest: Deployment) => (hasCrashed(latest) ? latest.errors : undefined)

/** Why what is built from a repository cannot be built now. Nothing while its account lets Slipway in. */
function ApplicationAccount({ application }: { application: ApplicationDetails }) {
  const { name, repository } = application
  const { data: accounts } = useInfiniteQuery({ ...integrationsQuery, enabled: repository !== null })
  if (!repository || !accounts) return null
  const account = accounts.find(({ id }) => id === repository.integration_id)
  const trouble = account
    ? troubleOf(account)?.says
    : `The account that ${repository.repository} is reached by is disconnected: nothing is built and no push deploys until it is connected again.`
  if (trouble === undefined) return null
  return (
    <Notice
      tone="yellow"
      title={`${name} cannot be built now`}
      action={<ButtonLink to={paths.integrations}>Open integrations</ButtonLink>}
    >
      {trouble} What runs goes on.
    </Notice>
  )
}
