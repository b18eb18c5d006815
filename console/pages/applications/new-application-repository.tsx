import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { BuildFields } from '../../areas/applications/settings/build-fields.tsx'
import { changeDraft } from '../../areas/applications/new/new-draft-store.ts'
import { type NewApplicationDraft, proposeName } from '../../areas/applications/new/new-draft.ts'
import type { PartProps } from '../../areas/applications/new/new-fields.tsx'
import { TriggerFields } from '../../areas/applications/settings/trigger-fields.tsx'
import { type Integration, integrationsQuery } from '../../areas/integrations/queries.ts'
import { RepositoryPicker } from '../../areas/integrations/repository-picker.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, CollapsibleSection } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RepositoryLocation } from './repository-location.tsx'

export function NewApplicationRepository(part: PartProps) {
  const query = useInfiniteQuery(integrationsQuery)
  if (!query.data)
    return (
      <QueryFallback
        query={query}
        failed="Could not load connected accounts"
        skeleton={<Skeleton className="h-40" />}
      />
    )
  const accounts = query.data.filter(({ status }) => status === 'active')
  const barred = query.data.filter(({ status }) => status !== 'active')
  if (accounts.length === 0)
    return (
      <div className="rounded-lg border border-line bg-raised">
        <EmptyState
          title={barred.length === 0 ? 'No GitHub account connected' : 'No GitHub account with access'}
          action={
            <ButtonLink variant="primary" to={paths.integrations}>
              {barred.length === 0 ? 'Connect GitHub' : 'Open integrations'}
            </ButtonLink>
          }
        >
          {barred.length === 0
            ? 'Connect an account to choose a repository. Your entries are kept.'
            : unavailableIntegrationsText(barred)}
        </EmptyState>
      </div>
    )
  return <OfAccounts {...part} accounts={accounts} barred={barred} />
}

const unavailableIntegrationsText = (barred: readonly Integration[]) =>
  `Repositories of ${barred.map(({ name, status }) => `${name} (${status})`).join(', ')} are unavailable until you restore access on GitHub.`

interface OfAccountsProps extends PartProps {
  accounts: readonly Integration[]
  barred: readonly Integration[]
}

function OfAccounts({ accounts, barred, ...part }: OfAccountsProps) {
  const { draft, errors } = part
  const id = draft['source.integration_id']
  const account = accounts.find((candidate) => candidate.id === id) ?? accounts[0]
  useEffect(() => {
    if (account && account.id !== id) changeDraft({ 'source.integration_id': account.id })
  }, [account, id])
  if (!account) return null
  const fault = errors['source.repository'] ?? errors['source.integration_id'] ?? errors['source']
  return (
    <>
      <Card title="Repository" description="Repository and branch to build from.">
        <div className="flex max-w-2xl flex-col gap-3">
          {accounts.length > 1 && (
            <Select
              aria-label="Account"
              options={accounts.map(({ id: value, name }) => ({ value, label: name }))}
              value={account.id}
              onValueChange={(value) =>
                changeDraft({ 'source.integration_id': value, 'source.repository': '', 'source.branch': '' })
              }
              className="max-w-xs max-sm:max-w-none"
            />
          )}
          {barred.length > 0 && (
            <p className="text-sm text-muted">
              {unavailableIntegrationsText(barred)}{' '}
              <TextLink to={paths.integrations}>View integrations</TextLink>
            </p>
          )}
          {fault && (
            <p role="alert" className="text-sm text-red-ink">
              {fault}
            </p>
          )}
          <RepositoryPicker
            key={account.id}
            integration={account}
            chosen={draft['source.repository']}
            onPick={({ name, default_branch: branch }) => changeDraft(withRepository(draft, name, branch))}
          />
        </div>
      </Card>
      {draft['source.repository'] !== '' && <OfRepository {...part} integrationId={account.id} />}
    </>
  )
}

function OfRepository({ draft, errors, integrationId }: PartProps & { integrationId: string }) {
  const repository = draft['source.repository']
  const choose = (field: string, value: string) => changeDraft({ [field]: value })
  return (
    <>
      <Card title={repository}>
        <div className="flex max-w-2xl flex-col gap-4">
          <RepositoryLocation integrationId={integrationId} typed={draft} errors={errors} onChoose={choose} />
        </div>
      </Card>
      <CollapsibleSection
        title="Build and push to deploy"
        about="Dockerfile, arguments, secrets, limits, automatic deployments"
      >
        <div className="flex flex-col gap-6">
          <TriggerFields typed={draft} errors={errors} onChoose={choose} />
          <BuildFields typed={draft} errors={errors} onChoose={choose} />
        </div>
      </CollapsibleSection>
    </>
  )
}

/** The name follows the repository until the user changes it. */
function withRepository(
  draft: NewApplicationDraft,
  repository: string,
  branch: string,
): Partial<NewApplicationDraft> {
  const own = draft.name !== '' && draft.name !== proposeName(draft['source.repository'])
  return {
    'source.repository': repository,
    'source.branch': branch,
    'source.generated': '',
    ...(own ? {} : { name: proposeName(repository) }),
  }
}
