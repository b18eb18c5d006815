import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { recordType } from './domain-badges.ts'

interface DnsRecordProps {
  host: string
  /** Address of the server; null for This machine. */
  address: string | null
}

export function DnsRecord({ host, address }: DnsRecordProps) {
  if (address === null)
    return (
      <p className="text-sm text-muted">
        Create an A record for <Mono>{host}</Mono> that points to the public IP address of the machine that
        Slipway runs on.
      </p>
    )
  return (
    <Fields intro="Create this DNS record:" type={recordType(address)} name={host} value={address}>
      {/* The user must enter this address at the DNS provider, so it is never masked. */}
      <span data-instruction>
        <Mono>{address}</Mono>
      </span>
    </Fields>
  )
}

interface TxtRecordProps {
  record: { name: string; value: string }
  children: string
}

/** Shows the record that proves control of the domain if its DNS does not point to the server. */
export const TxtRecord = ({ record: { name, value }, children }: TxtRecordProps) => (
  <Fields intro={children} type="TXT" name={name} value={value}>
    <Mono>{value}</Mono>
  </Fields>
)

interface FieldsProps {
  intro: string
  type: string
  name: string
  value: string
  children: ReactNode
}

const Fields = ({ intro, type, name, value, children }: FieldsProps) => (
  <div className="flex flex-col gap-1.5 text-sm text-muted">
    <p>{intro}</p>
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 text-ink">
      <dt className="text-muted">Type</dt>
      <dd className="font-mono">{type}</dd>
      <dt className="text-muted">Name</dt>
      <dd className="flex min-w-0 items-center gap-1">
        <Mono>{name}</Mono>
        <CopyButton text={name} label={`Copy name ${name}`} />
      </dd>
      <dt className="text-muted">Value</dt>
      <dd className="flex min-w-0 items-center gap-1">
        {children}
        <CopyButton text={value} label={`Copy value of the record for ${name}`} />
      </dd>
    </dl>
  </div>
)

const Mono = ({ children }: { children: string }) => (
  <span className="min-w-0 font-mono wrap-anywhere text-ink" dir="ltr">
    {children}
  </span>
)
