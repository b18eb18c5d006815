import type { ChannelType } from './channel-type.ts'
import { discord } from './channels/discord.ts'
import { email } from './channels/email.ts'
import { ntfy } from './channels/ntfy.ts'
import { pushover } from './channels/pushover.ts'
import { slack } from './channels/slack.ts'
import { teams } from './channels/teams.ts'
import { telegram } from './channels/telegram.ts'
import { webhook } from './channels/webhook.ts'

export const channelTypes: readonly ChannelType[] = [
  email,
  slack,
  discord,
  telegram,
  teams,
  ntfy,
  pushover,
  webhook,
]

export const findChannelType = (type: string) => channelTypes.find((channel) => channel.type === type)
