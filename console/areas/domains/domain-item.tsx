import { useQuery } from '@tanstack/react-query'
import { ExternalLink, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { AddressText, useMaskedText } from '../../lib/address.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Pending } from '../../ui/skeleton.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { certificateBadge, isHttpsSettled, verificationBadge } from './domain-badges.ts'
import { DnsRecord, TxtRecord } from './dns-record.tsx'
import { type Domain, dnsQuery, useVerifyDomain } from './queries.ts'
import { toast } from 'sonner'

interface DomainItemProps {
  applicationId: string
  domain: Domain
  address: string | null
  /** `order` requests the certificate again. It is undefined for users who may not. */
  order: { onOrder: () => void; pending: boolean } | undefined
  menu: ReactNode
}

export function DomainItem({ applicationId, domain, address, order, menu }: DomainItemProps) {
  const {
    service,
    host,
    url,
    port,
    https,
    generated,
    routing_error: routingError,
    certificate,
    verification,
  } = domain
  const unproven = verificationBadge(domain)
  const secured = certificateBadge(domain)
  const released = verification.status === 'released'
  // The certificate is requested only after the verification, so show only one of the two badges.
  const waits = https && (certificate === null || certificate.status === 'waiting')
  const badges = unproven && waits ? [unproven] : [secured, unproven]
  const error = unproven && certificate?.error === verification.problem ? null : certificate?.error
  const settled = isHttpsSettled(domain)
  // Until HTTPS is settled, the certificate request reports DNS problems, so do not check DNS here as well.
  const asks = settled && !generated && !certificate?.error
  const { data: astray, isLoading: asking } = useQuery({ ...dnsQuery(applicationId, domain), enabled: asks })
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-center gap-x-3 gap-y-1">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="flex max-w-full min-w-0 items-center gap-1">
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="flex min-w-0 items-center gap-1.5 rounded-sm font-mono text-sm font-medium text-accent-ink hover:underline"
            >
              <span className="min-w-0 wrap-anywhere" dir="ltr">
                <AddressText>{url}</AddressText>
              </span>
              <ExternalLink className="size-3.5 shrink-0" aria-label="Opens in a new tab" />
            </a>
            <CopyButton text={url} label="Copy URL" />
          </span>
          {badges.map(
            (badge) =>
              badge && (
                <Badge key={badge.label} tone={badge.tone}>
                  {badge.label}
                </Badge>
              ),
          )}
        </div>
        {menu}
      </div>
      <p className="flex flex-wrap gap-x-4 text-sm text-muted empty:hidden">
        {generated && <span>Generated URL, no DNS setup needed</span>}
        {verification.status === 'verified' && !generated && !unproven && <span>Verified</span>}
        {(service !== '' || port !== null) && <span>Routes to {targetOf(domain)}</span>}
        {certificate?.kind === 'uploaded' && <span>Uploaded certificate</span>}
        {certificate?.issuer && <span className="wrap-anywhere">Issued by {certificate.issuer}</span>}
        {certificate?.expires_at && (
          <span>
            Valid until <Day at={certificate.expires_at} />
          </span>
        )}
      </p>
      {routingError !== null && !released && <Remark>{routingError}</Remark>}
      {unproven && <Verification {...{ applicationId, domain, astray }} manages={order !== undefined} />}
      {asking && <Pending />}
      {asks && astray && !unproven && <Remark>{astray}</Remark>}
      {certificate && error && (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 rounded-md border border-line bg-subtle px-3 py-2 text-sm">
          <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
            <p>
              <AddressText>{error}</AddressText>
            </p>
            {certificate.next_try_at && (
              <p className="text-muted">
                Next attempt <Time at={certificate.next_try_at} />.
              </p>
            )}
          </div>
          {order && certificate.kind === 'acme' && (
            <Button size="small" pending={order.pending && 'Requesting…'} onClick={order.onOrder}>
              Retry now
            </Button>
          )}
        </div>
      )}
      {!generated && !released && (
        <details key={String(astray)} open={!settled || Boolean(astray)}>
          <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted select-none hover:text-ink">
            DNS record
          </summary>
          <div className="pt-2 pl-4">
            <DnsRecord host={host} address={address} />
          </div>
        </details>
      )}
    </li>
  )
}

const targetOf = ({ service, port }: Domain) =>
  [port === null ? '' : `port ${port}`, service].filter((part) => part !== '').join(' of ')

const Remark = ({ children }: { children: string }) => (
  <p className="flex items-start gap-2 rounded-md border border-yellow/40 bg-yellow-soft px-3 py-2 text-sm wrap-anywhere">
    <TriangleAlert className="mt-0.5 size-4 shrink-0 text-yellow-ink" aria-hidden />
    <span className="min-w-0">
      <AddressText>{children}</AddressText>
    </span>
  </p>
)

interface VerificationProps {
  applicationId: string
  domain: Domain
  astray: string | null | undefined
  manages: boolean
}

function Verification({ applicationId, domain, astray, manages }: VerificationProps) {
  const verify = useVerifyDomain(applicationId)
  const mask = useMaskedText()
  const { status, problem, txt_record: record } = domain.verification
  const reason = status === 'released' ? domain.routing_error : (problem ?? astray)
  const check = () =>
    verify.mutate(domain.id, {
      onSuccess: ({ domain: checked }) =>
        checked.verification.status === 'verified' && checked.verification.problem === null
          ? toast.success(mask(`${domain.host} verified`))
          : toast(mask(`${domain.host} is not verified yet`)),
    })
  return (
    <div className="flex flex-col gap-3 rounded-md border border-line bg-subtle px-3 py-2 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <AddressText>{reason ?? 'The domain is not verified yet.'}</AddressText>
        </p>
        {manages && (
          <Button size="small" pending={verify.isPending && 'Checking…'} onClick={check}>
            Re-check
          </Button>
        )}
      </div>
      {status !== 'waiting_for_dns' && (
        <TxtRecord record={record}>
          {status === 'needs_txt'
            ? 'If the domain points to a load balancer or proxy, create this DNS record to verify ownership:'
            : 'To verify ownership, create this DNS record:'}
        </TxtRecord>
      )}
    </div>
  )
}
