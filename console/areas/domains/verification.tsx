import { toast } from 'sonner'
import { AddressText } from '../../lib/address-text.tsx'
import { Button } from '../../ui/button.tsx'
import { TxtRecord } from './dns-record.tsx'
import { type Domain, useVerifyDomain } from './queries.ts'

interface VerificationProps {
  applicationId: string
  domain: Domain
  /** Why its DNS does not lead to the server, as it was seen last. */
  astray: string | null | undefined
  /** Whether this person may check it. */
  manages: boolean
}

/** What is missing until the workspace has proven that it controls a domain. */
export function Verification({ applicationId, domain, astray, manages }: VerificationProps) {
  const verify = useVerifyDomain(applicationId)
  const { status, problem, txt_record: record } = domain.verification
  const said = status === 'released' ? domain.lost : (problem ?? astray)
  const check = () =>
    verify.mutate(domain.id, {
      onSuccess: ({ domain: checked }) =>
        checked.verification.status === 'verified' && checked.verification.problem === null
          ? toast.success(`${domain.host} verified`)
          : toast(`${domain.host} is not verified yet`),
    })
  return (
    <div className="flex flex-col gap-3 rounded-md border border-line bg-subtle px-3 py-2 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <AddressText>{said ?? 'Slipway has not verified this domain yet.'}</AddressText>
        </p>
        {manages && (
          <Button size="small" pending={verify.isPending && 'Checking…'} onClick={check}>
            Check again
          </Button>
        )}
      </div>
      {status !== 'waiting_for_dns' && (
        <TxtRecord record={record}>
          {status === 'needs_txt'
            ? 'If it points there on purpose, such as to a load balancer, prove that it is yours with this record:'
            : 'To prove that it is yours, create this record at its DNS:'}
        </TxtRecord>
      )}
    </div>
  )
}
