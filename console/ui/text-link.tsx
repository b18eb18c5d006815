import { Link, type LinkProps } from 'react-router'

/** Inline link. */
export function TextLink(props: LinkProps) {
  return (
    <Link
      {...props}
      className="rounded-sm font-medium text-accent-ink underline decoration-transparent underline-offset-2 hover:decoration-current"
    />
  )
}
