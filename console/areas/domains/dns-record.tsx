import type { ReactNode } from 'react'
import { RevealableAddress } from '../../lib/address.tsx'
import { Copy } from '../../ui/copy.tsx'
import { recordType } from './certificate-words.ts'

interface DnsRecordProps {
  host: string
  /** Of the server; none for the machine that Slipway runs on. */
  address: string | null
}

/** What to set at the DNS, so that a name leads to the server. */
export function DnsRecord({ host, address }: DnsRecordProps) {
  if (address === null)
    return (
      <p className="text-sm text-muted">
        At your DNS, set an A record for <Mono>{host}</Mono> to the public address of the machine that Slipway
        runs on.
      </p>
    )
  return (
    <Fields intro="At your DNS, set this record:" type={recordType(address)} name={host} value={address}>
      <RevealableAddress address={address} />
    </Fields>
  )
}

interface TxtRecordProps {
  record: { name: string; value: string }
  /** When it is needed. */
  children: string
}

/** What proves that a name belongs to the workspace, wherever it leads. */
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
  /** The value as it is shown. */
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
        <Copy text={name} label={`Copy the name ${name}`} />
      </dd>
      <dt className="text-muted">Value</dt>
      <dd className="flex min-w-0 items-center gap-1">
        {children}
        <Copy text={value} label={`Copy the value of the record for ${name}`} />
      </dd>
    </dl>
  </div>
)

const Mono = ({ children }: { children: string }) => (
  <span className="min-w-0 font-mono wrap-anywhere text-ink" dir="ltr">
    {children}
  </span>
)
