import { toast } from 'sonner'
import { AddressText } from '../../lib/address-text.tsx'
import { Button } from '../../ui/button.tsx'
import { TxtRecord } from './dns-record.tsx'
import { type Domain, useVerifyDomain } from './queries.ts'

interface VerificationProps {
  applicationId: string
  domain: Domain
  /** Whether this person may check it. */
  manages: boolean
}

/** What is missing until the workspace has proven that it controls a domain. */
export function Verification({ applicationId, domain, manages }: VerificationProps) {
  const verify = useVerifyDomain(applicationId)
  const { status, problem, txt_record: record } = domain.verification
  const check = () =>
    verify.mutate(domain.id, {
      onSuccess: ({ domain: checked }) =>
        checked.verification.status === 'verified'
          ? toast.success(`${domain.host} verified`)
          : toast(`${domain.host} is not verified yet`),
    })
  return (
    <div className="flex flex-col gap-3 rounded-md border border-line bg-subtle px-3 py-2 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <AddressText>{problem ?? pending[status]}</AddressText>
        </p>
        {manages && (
          <Button size="small" pending={verify.isPending && 'Checking…'} onClick={check}>
            Check again
          </Button>
        )}
      </div>
      {status === 'waiting_for_dns' ? null : <TxtRecord record={record} />}
    </div>
  )
}

const pending: Record<Domain['verification']['status'], string> = {
  waiting_for_dns:
    'Slipway checks whether the domain leads to the server. A certificate is ordered after that.',
  needs_txt: 'The domain leads to something else than the server.',
  released: 'The domain does not belong to this workspace any more.',
  verified: '',
}
