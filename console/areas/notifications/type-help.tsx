import { OutsideLink } from '../../ui/outside-link.tsx'
import type { ChannelType } from './queries.ts'

/** How to get what the settings of a type ask for. */
export const TypeHelp = ({ type: { help, link } }: { type: ChannelType }) => (
  <div className="flex flex-col items-start gap-1 rounded-md border border-line bg-subtle px-3 py-2 text-sm wrap-anywhere">
    {/* Steps stand on lines of their own. */}
    <p className="whitespace-pre-line">{help}</p>
    {link !== null && <OutsideLink href={link}>{`Documentation at ${new URL(link).hostname}`}</OutsideLink>}
  </div>
)
