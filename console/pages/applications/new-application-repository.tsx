import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { changeDraft } from '../../areas/applications/new/new-draft-store.ts'
import { withSuggestedName } from '../../areas/applications/new/new-draft.ts'
import type { PartProps } from '../../areas/applications/new/new-fields.tsx'
import { type Integration, integrationsQuery } from '../../areas/integrations/queries.ts'
import { RepositoryPicker } from '../../areas/integrations/repository-picker.tsx'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RepositoryLocation } from './repository-location.tsx'

export function NewApplicationRepository(part: PartProps) {
  const { errors } = part
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
      <div
        data-invalid={errors['source.repository'] ? true : undefined}
        tabIndex={-1}
        className="rounded-md border border-line outline-none"
      >
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
  const { 'source.integration_id': id, 'source.repository': repository } = draft
  const box = useFocusAfterChange(repository)
  const account = accounts.find((candidate) => candidate.id === id) ?? accounts[0]
  useEffect(() => {
    if (account && account.id !== id) changeDraft({ 'source.integration_id': account.id })
  }, [account, id])
  if (!account) return null
  const fault = errors['source.repository'] ?? errors['source.integration_id'] ?? errors['source']
  const pick = (name: string, branch: string) =>
    changeDraft(
      withSuggestedName(draft, {
        'source.repository': name,
        'source.branch': branch,
        'source.generated': '',
      }),
    )
  return (
    <div ref={box} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      {fault && (
        <p role="alert" data-invalid tabIndex={-1} className="text-sm text-red-ink">
          {fault}
        </p>
      )}
      {repository === '' ? (
        <>
          {accounts.length > 1 && (
            <Select
              aria-label="Account"
              options={accounts.map(({ id: value, name }) => ({ value, label: name }))}
              value={account.id}
              onValueChange={(value) => changeDraft({ 'source.integration_id': value })}
              className="max-w-xs max-sm:max-w-none"
            />
          )}
          {barred.length > 0 && (
            <p className="text-sm text-muted">
              {unavailableIntegrationsText(barred)}{' '}
              <TextLink to={paths.integrations}>View integrations</TextLink>
            </p>
          )}
          <RepositoryPicker
            key={account.id}
            integration={account}
            onPick={({ name, default_branch: branch }) => pick(name, branch)}
          />
        </>
      ) : (
        <>
          <div className="flex items-center justify-between gap-4 rounded-md border border-line px-3 py-2">
            <span className="min-w-0 font-medium wrap-anywhere">{repository}</span>
            <Button size="small" onClick={() => pick('', '')}>
              Change
            </Button>
          </div>
          <RepositoryLocation
            integrationId={account.id}
            typed={draft}
            errors={errors}
            onChoose={(field, value) => changeDraft({ [field]: value })}
          />
        </>
      )}
    </div>
  )
}

/** Moves the focus after a change, because the pressed button disappears. */
function useFocusAfterChange(value: string) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef(value)
  useEffect(() => {
    if (shown.current !== value) box.current?.focus({ preventScroll: true })
    shown.current = value
  }, [value])
  return box
}
