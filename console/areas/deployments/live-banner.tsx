import { displayedAddress, useMaskedText } from '../../lib/address.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ExternalTextLink } from '../../ui/text-link.tsx'

interface LiveBannerProps {
  name: string
  address: string | null
  took: string
}

/** Animates the check mark once, unless the user prefers reduced motion. */
export function LiveBanner({ name, address, took }: LiveBannerProps) {
  const mask = useMaskedText()
  return (
    <section
      aria-label={`${name} is live`}
      className="flex items-center gap-4 rounded-lg border border-green/40 bg-green-soft px-4 py-4"
    >
      <svg viewBox="0 0 48 48" className="size-12 shrink-0 text-green" fill="none" aria-hidden>
        <circle cx="24" cy="24" r="21" className="stroke-current opacity-25" strokeWidth="3" />
        <circle
          cx="24"
          cy="24"
          r="21"
          pathLength="1"
          strokeDasharray="1"
          strokeWidth="3"
          strokeLinecap="round"
          className="origin-center -rotate-90 animate-draw stroke-current"
        />
        <path
          d="M15 24.5L21.5 31L33.5 18"
          pathLength="1"
          strokeDasharray="1"
          strokeWidth="3.5"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="animate-draw stroke-current"
        />
      </svg>
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="text-lg font-semibold">
          <bdi>{name}</bdi> is live
        </p>
        <p className="text-sm text-muted">First successful deployment, completed in {took}</p>
        {address !== null && (
          <p className="flex min-w-0 items-center gap-1 *:last:-my-1">
            <ExternalTextLink href={address} className="wrap-anywhere">
              <span>{mask(displayedAddress(address))}</span>
            </ExternalTextLink>
            <CopyButton text={address} label="Copy URL" />
          </p>
        )}
      </div>
    </section>
  )
}
