import { ExternalTextLink } from '../../ui/external-text-link.tsx'
import type { ChannelType } from './queries.ts'

export const TypeHelp = ({ type: { help, link } }: { type: ChannelType }) => (
  <div className="flex flex-col items-start gap-1 rounded-md border border-line bg-subtle px-3 py-2 text-sm wrap-anywhere">
    {/* Keeps the line breaks between steps. */}
    <p className="whitespace-pre-line">{help}</p>
    {link !== null && (
      <ExternalTextLink href={link}>{`Documentation at ${new URL(link).hostname}`}</ExternalTextLink>
    )}
  </div>
)
