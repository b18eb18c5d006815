export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden>
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path d="M7 21.5h18l-2.6 4H10zM15 6.5v12H8.2z" className="fill-on-accent" />
      <path d="M17.2 10v8.5H23z" className="fill-on-accent opacity-60" />
    </svg>
  )
}
