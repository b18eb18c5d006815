import { useInfiniteQuery } from '@tanstack/react-query'
import type { ApplicationDetails } from '../areas/applications/queries.ts'
import { troubleOf } from '../areas/integrations/integration-words.ts'
import { integrationsQuery } from '../areas/integrations/queries.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Why what is built from a repository cannot be built now. Nothing while its account lets Slipway in. */
export function ApplicationAccount({ application }: { application: ApplicationDetails }) {
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
