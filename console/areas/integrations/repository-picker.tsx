import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { NothingFound } from '../../ui/empty-state.tsx'
import { ExternalTextLink, TextLink } from '../../ui/text-link.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { paths } from '../../paths.ts'
import {
  applicationBranchesQuery,
  branchesQuery,
  type Integration,
  repositoriesQuery,
  type Repository,
} from './queries.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field } from '../../ui/form/field.tsx'

interface RepositoryPickerProps {
  integration: Integration
  onPick: (repository: Repository) => void
}

export function RepositoryPicker({ integration, onPick }: RepositoryPickerProps) {
  const [q, setQ] = useState('')
  const query = useInfiniteQuery(repositoriesQuery(integration.id, q))
  const { data: repositories, error } = query
  const submittedQuery = useRef<string>(undefined)
  const [first] = repositories ?? []
  // Enter selects the first result, which may still be loading when the key is pressed.
  useEffect(() => {
    if (submittedQuery.current !== q || !repositories) return
    submittedQuery.current = undefined
    if (first) onPick(first)
  })
  const enter = (typed: string) => {
    if (typed === '') return
    if (typed === q && first) onPick(first)
    else submittedQuery.current = typed
  }
  if (error && !repositories)
    return <Problem title="Could not load repositories" error={error} onRetry={query.refetch} />
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search repositories" onEnter={enter} />
      {repositories?.length === 0 && q !== '' && (
        <NothingFound things="repositories" q={q} onClear={() => setQ('')} />
      )}
      {repositories?.length === 0 && q === '' && (
        <p className="text-muted">Slipway cannot access any repositories of {integration.name}.</p>
      )}
      {!repositories && <Skeleton className="h-40" />}
      {repositories && repositories.length > 0 && (
        <ul
          aria-label="Repositories"
          className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line"
        >
          {repositories.map((repository) => (
            <li key={repository.name}>
              <Choice repository={repository} onPick={() => onPick(repository)} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore query={query} />
      <p className="text-sm text-muted">
        Missing a repository?{' '}
        <ExternalTextLink href={integration.manage_url}>Change repository access</ExternalTextLink> for{' '}
        {integration.name}, or <TextLink to={paths.integrations}>connect another account</TextLink>. Your
        entries are kept.
      </p>
    </>
  )
}

interface ChoiceProps {
  repository: Repository
  onPick: () => void
}

const Choice = ({ repository, onPick }: ChoiceProps) => (
  <button
    type="button"
    onClick={onPick}
    className="flex w-full items-center justify-between gap-4 px-3 py-2 text-left -outline-offset-2 hover:bg-hover active:bg-pressed max-sm:py-3"
  >
    <span className="flex min-w-0 flex-col">
      <span className="flex items-center gap-2 font-medium wrap-anywhere">
        {repository.name}
        {repository.private && <Lock className="size-3.5 shrink-0 text-muted" aria-label="private" />}
      </span>
      {repository.description && (
        <span dir="auto" className="line-clamp-1 text-sm text-muted">
          {repository.description}
        </span>
      )}
    </span>
    {repository.pushed_at && (
      <span className="shrink-0 text-sm text-muted">
        <Time at={repository.pushed_at} />
      </span>
    )}
  </button>
)

interface BranchFieldProps {
  /** Application whose branches are listed; undefined before it is created. */
  applicationId?: string | undefined
  integrationId: string
  repository: string
  value: string
  onChange: (branch: string) => void
  error?: string | undefined
}

/** Branch field with suggestions. If branches cannot be loaded, any name can be typed. */
export function BranchField({
  applicationId,
  integrationId,
  repository,
  value,
  onChange,
  error,
}: BranchFieldProps) {
  const { data: branches = [] } = useQuery(
    applicationId === undefined
      ? branchesQuery(integrationId, repository)
      : applicationBranchesQuery(applicationId),
  )
  return (
    <Field label="Branch" help="Branch to deploy." error={error}>
      <Combobox
        name="source.branch"
        label="Branches"
        options={branches}
        value={value}
        onChange={onChange}
        placeholder="main"
      />
    </Field>
  )
}
