import type { Listeners } from '../../outbox.ts'
import { alertResolved, alertReminded, alertStarted } from './contents/alert.ts'
import {
  applicationCrashed,
  deploymentFailed,
  deploymentStarted,
  deploymentSucceeded,
} from './contents/deployment.ts'
import { paymentFailed, planChanged, planPaused, planRecovered, trialEnding } from './contents/billing.ts'
import { memberChanged } from './contents/member.ts'
import { channelPaused } from './contents/channel-paused.ts'
import {
  serverAdded,
  serverChangedAtCloud,
  serverDeleted,
  serverCreationFailed,
  serverSetUp,
  serverSetUpFailed,
} from './contents/server.ts'
import { cloudTokenRefused, tokenExpiring } from './contents/token.ts'
import { selectAlertChannels, selectOtherChannels, previouslyNotified } from './recipients.ts'
import { createMessageWriter } from './write-messages.ts'

export const listeners: Listeners[] = [
  {
    'alert.started': createMessageWriter({ notice: 'alert', say: alertStarted, among: selectAlertChannels }),
    'alert.reminded': createMessageWriter({
      notice: 'alert',
      say: alertReminded,
      among: selectAlertChannels,
    }),
    'alert.over': createMessageWriter({ notice: 'alert', say: alertResolved, among: previouslyNotified }),
    'deployment.started': createMessageWriter({ notice: 'deployment_started', say: deploymentStarted }),
    'deployment.completed': createMessageWriter({ notice: 'deployment_succeeded', say: deploymentSucceeded }),
    'deployment.failed': createMessageWriter({ notice: 'deployment_failed', say: deploymentFailed }),
    'application.died': createMessageWriter({ notice: 'application_died', say: applicationCrashed }),
    'server.created': createMessageWriter({ notice: 'server_added', say: serverAdded }),
    'server.imported': createMessageWriter({ notice: 'server_added', say: serverAdded }),
    'server.setup_completed': createMessageWriter({ notice: 'server_set_up', say: serverSetUp }),
    'server.setup_failed': createMessageWriter({ notice: 'server_set_up_failed', say: serverSetUpFailed }),
    'server.creation_failed': createMessageWriter({
      notice: 'server_creation_failed',
      say: serverCreationFailed,
    }),
    'server.cloud_changed': createMessageWriter({
      notice: 'server_cloud_changed',
      say: serverChangedAtCloud,
    }),
    'server.deleted': createMessageWriter({ notice: 'server_deleted', say: serverDeleted }),
    'member.invited': createMessageWriter({ notice: 'member_invited', say: memberChanged }),
    'member.joined': createMessageWriter({ notice: 'member_joined', say: memberChanged }),
    'member.role_changed': createMessageWriter({ notice: 'member_role_changed', say: memberChanged }),
    'member.removed': createMessageWriter({ notice: 'member_removed', say: memberChanged }),
    'member.left': createMessageWriter({ notice: 'member_removed', say: memberChanged }),
    'api_token.expiring': createMessageWriter({ notice: 'token_expiring', say: tokenExpiring }),
    'cloud_token.refused': createMessageWriter({ notice: 'cloud_token_refused', say: cloudTokenRefused }),
    'billing.trial_ending': createMessageWriter({ notice: 'trial_ending', say: trialEnding }),
    'billing.trial_ended': createMessageWriter({ notice: 'trial_ending', say: trialEnding }),
    'billing.subscribed': createMessageWriter({ notice: 'plan_changed', say: planChanged }),
    'billing.plan_changed': createMessageWriter({ notice: 'plan_changed', say: planChanged }),
    'billing.cancelled': createMessageWriter({ notice: 'plan_changed', say: planChanged }),
    'billing.resumed': createMessageWriter({ notice: 'plan_changed', say: planChanged }),
    'billing.renewed': createMessageWriter({ notice: 'plan_changed', say: planChanged }),
    'billing.ended': createMessageWriter({ notice: 'plan_changed', say: planPaused }),
    'billing.duplicate_ended': createMessageWriter({ notice: 'plan_payment', say: planChanged }),
    'billing.payment_failed': createMessageWriter({ notice: 'plan_payment', say: paymentFailed }),
    'billing.grace_ended': createMessageWriter({ notice: 'plan_payment', say: planPaused }),
    'billing.recovered': createMessageWriter({ notice: 'plan_payment', say: planRecovered }),
    'notification.paused': createMessageWriter({
      notice: 'channel_paused',
      say: channelPaused,
      among: selectOtherChannels,
    }),
  },
]
