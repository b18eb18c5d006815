import {
  BellRing,
  Hash,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Radio,
  Send,
  Smartphone,
  Users,
  Webhook,
} from 'lucide-react'
import { createElement } from 'react'

const icons = new Map<string, LucideIcon>([
  ['email', Mail],
  ['slack', Hash],
  ['discord', MessagesSquare],
  ['telegram', Send],
  ['teams', Users],
  ['ntfy', BellRing],
  ['pushover', Smartphone],
  ['webhook', Webhook],
])

/** Unknown types get a generic icon. */
export const TypeIcon = ({ type, className }: { type: string; className: string }) =>
  createElement(icons.get(type) ?? Radio, { className, 'aria-hidden': true })
