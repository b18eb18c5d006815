import type { ReactNode } from 'react'
import { formatCount, formatList } from '../../../../contract/shared/format-list.ts'
import { readMappings } from '../../../../contract/shared/entries.ts'
import { AddressText, useMaskedText } from '../../../lib/address.tsx'
import { ApiError } from '../../../lib/http/api-error.ts'
import { ReviewHostAccess, ReviewWarnings } from '../../../lib/review.tsx'
import { Card } from '../../../ui/card.tsx'
import { ImageName } from '../../../ui/image-name.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { readDomains, readServiceDomain } from './new-body.ts'
import { emptyDraft, isComposeDraft, isRepositoryDraft, type NewApplicationDraft } from './new-draft.ts'
import { type Review, useReview } from './new-queries.ts'
import { countDraftVariables, summarizeSections } from './section-summaries.ts'

interface NewSummaryProps {
  draft: NewApplicationDraft
  server: string | undefined
  services: readonly string[]
  children: ReactNode
}

/** The summary updates while the user types, so that the deployment holds no surprises. */
export function NewSummary({ draft, server, services, children }: NewSummaryProps) {
  const { review, error } = useReview(draft)
  const isCompose = isComposeDraft(draft)
  const problems = listProblems(review, error)
  return (
    <Card title="Summary">
      <div className="flex flex-col gap-4 min-[1280px]:[&_dl]:grid-cols-[auto_1fr]">
        <DefinitionList
          dense
          items={[
            { term: 'Source', value: sourceLine(draft) || <NotYet /> },
            { term: 'Server', value: server ?? <NotYet /> },
            { term: 'Address', value: <Addresses draft={draft} review={review} /> },
            isCompose
              ? { term: 'Services', value: services.length === 0 ? <NotYet /> : formatList(services) }
              : { term: 'Port', value: <PortLine draft={draft} /> },
            { term: 'Data', value: dataLine(draft) || <Default>None</Default> },
          ]}
        />
        {/* Problems come and go while the user types, so the button is above them and stays under the pointer. */}
        {children}
        {problems.length > 0 && (
          <ul aria-label="Problems" className="flex flex-col gap-1 text-sm wrap-anywhere text-red-ink">
            {problems.map((problem) => (
              <li key={problem}>
                <AddressText>{problem}</AddressText>
              </li>
            ))}
          </ul>
        )}
        {review?.plan && <ReviewHostAccess items={review.plan.host_access} allowed={review.plan.allowed} />}
        {review && <ReviewWarnings warnings={review.warnings} />}
      </div>
    </Card>
  )
}

/** The editor already lists problems of the compose file, so the summary leaves them out. */
function listProblems(review: Review | undefined, error: Error | null): string[] {
  const fields = error instanceof ApiError ? error.fields : (review?.problems ?? {})
  const named = Object.entries(fields).filter(([field]) => field !== 'source.compose')
  const isOther = error !== null && Object.keys(fields).length === 0
  return [...new Set(isOther ? [error.message] : named.flatMap(([, texts]) => texts))]
}

/** Defaults are muted, so that the entries of the user stand out. */
const Default = ({ children }: { children: ReactNode }) => <span className="text-muted">{children}</span>

const NotYet = () => <Default>Not selected</Default>

function PortLine({ draft }: { draft: NewApplicationDraft }) {
  const { ports } = summarizeSections(draft)
  return ports === summarizeSections(emptyDraft).ports ? <Default>{ports}</Default> : ports
}

function sourceLine(draft: NewApplicationDraft): ReactNode {
  if (isComposeDraft(draft)) return draft['source.compose'].trim() && 'Compose file'
  if (!isRepositoryDraft(draft))
    return draft['source.image'].trim() && <ImageName>{draft['source.image'].trim()}</ImageName>
  const { 'source.repository': repository, 'source.branch': branch } = draft
  return [repository, branch].filter(Boolean).join(', ')
}

/** Lists the domains, then the generated URL, which the server derives from the name. */
function Addresses({ draft, review }: { draft: NewApplicationDraft; review: Review | undefined }) {
  const mask = useMaskedText()
  const domains = isComposeDraft(draft) ? draft.routes.map(readServiceDomain) : readDomains(draft.domains)
  const hosts = domains.map(({ host }) => host).filter((host) => host !== '')
  const generated = draft.generated_address ? review?.generated_address : undefined
  if (hosts.length === 0 && !draft.generated_address) return 'None'
  return (
    <>
      {[...hosts, ...(generated ? [generated] : [])].map((host) => (
        <span key={host} className="block">
          {mask(host)}
        </span>
      ))}
      {draft.generated_address && !generated && (
        <span className="block text-muted">
          {generated === null ? 'No generated URL: the server has no public IP address' : 'Generated URL'}
        </span>
      )}
    </>
  )
}

function dataLine(draft: NewApplicationDraft): string {
  const counts = [
    [countDraftVariables(draft), 'variable'],
    [isComposeDraft(draft) ? 0 : readMappings(draft.volumes).length, 'volume'],
  ] as const
  const parts = counts.filter(([count]) => count > 0).map(([count, noun]) => formatCount(count, noun))
  return parts.join(', ')
}
