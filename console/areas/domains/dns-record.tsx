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
        At your DNS, set an A record for <Name host={host} /> to the public address of the machine that
        Slipway runs on.
      </p>
    )
  return (
    <div className="flex flex-col gap-1.5 text-sm text-muted">
      <p>At your DNS, set this record:</p>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 text-ink">
        <dt className="text-muted">Type</dt>
        <dd className="font-mono">{recordType(address)}</dd>
        <dt className="text-muted">Name</dt>
        <dd className="flex min-w-0 items-center gap-1">
          <Name host={host} />
          <Copy text={host} label={`Copy the name ${host}`} />
        </dd>
        <dt className="text-muted">Value</dt>
        <dd className="flex min-w-0 items-center gap-1">
          <RevealableAddress address={address} />
          <Copy text={address} label={`Copy the value of the record for ${host}`} />
        </dd>
      </dl>
    </div>
  )
}

const Name = ({ host }: { host: string }) => (
  <span className="min-w-0 font-mono wrap-anywhere text-ink" dir="ltr">
    {host}
  </span>
)
