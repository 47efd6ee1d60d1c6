import type {
  LinkedService,
  RiskCheck,
  RiskCheckDevice,
  RiskCheckEmail,
  RiskCheckPhone,
  RiskLevel,
  UserInteractions,
} from '#contract/closed.ts'
import { createRandom, type Random } from '../simulation/random.ts'
import type { Finding, StepState } from './step.ts'
import { type KnownUser, randomOf, type Subject } from './subject.ts'

/** How the signals add up: a review asks for a second look, a failure leaves no doubt. */
const levels: Record<Finding, RiskLevel> = {
  success: 'low',
  pending_review: 'medium',
  failed: 'high',
}

const interactions: Record<RiskLevel, UserInteractions> = {
  low: 'genuine',
  medium: 'neutral',
  high: 'risky',
}

const scores: Record<RiskLevel, [number, number]> = {
  low: [1, 15],
  medium: [40, 60],
  high: [80, 99],
}

const services: readonly LinkedService[] = ['atlassian', 'discord', 'github', 'komoot', 'strava']

export function toRiskCheck({ id, user }: Subject, step: StepState): RiskCheck {
  const random = randomOf(id, 'risk_check')
  const level = levels[step.found ?? 'success']
  const score = () => random.integer(...scores[level])
  return {
    status: step.status,
    behavior: {
      user_interactions: interactions[level],
      fraud_ring_detected: 'no',
      bot_detected: level === 'high' ? 'yes' : 'no',
      risk_level: level,
    },
    email: user.email_address === null ? null : toEmail(user, user.email_address, level),
    phone: user.phone_number === null ? null : toPhone(random, level),
    devices: [toDevice(random, level)],
    identity_abuse_signals: {
      synthetic_identity: {
        score: score(),
        risk_level: level,
        first_party_synthetic_fraud: { risk_level: level },
        third_party_synthetic_fraud: { risk_level: level },
      },
      stolen_identity: { score: score(), risk_level: level },
    },
    facial_duplicates: [],
    trust_index_score: null,
    network: {
      risk_level: level,
      factors:
        level === 'low' ? [] : ['Other attempts with other names came from the same network.'],
    },
  }
}

/** The same address always has the same history. */
function toEmail(user: KnownUser, address: string, level: RiskLevel): RiskCheckEmail {
  const random = createRandom(`e-mail ${address}`)
  const domain = createRandom(`domain ${address.split('@').at(-1)}`)
  const breaches = random.integer(0, 2)
  const [first, last] = [random.integer(2014, 2018), random.integer(2019, 2023)].map(
    (year) => `${year}-0${random.integer(1, 9)}-1${random.integer(0, 9)}`,
  ) as [string, string]
  const isFree = domain.chance(0.5)
  const isDisposable = level === 'high'
  return {
    is_deliverable: 'yes',
    breach_count: breaches,
    first_breached_at: breaches === 0 ? null : first,
    last_breached_at: breaches === 0 ? null : breaches === 1 ? first : last,
    domain_registered_at: `${domain.integer(1994, 2012)}-0${domain.integer(1, 9)}-14`,
    domain_is_free_provider: isFree ? 'yes' : 'no',
    domain_is_custom: isFree ? 'no' : 'yes',
    domain_is_disposable: isDisposable ? 'yes' : 'no',
    top_level_domain_is_suspicious: 'no',
    ...compareWithUser(user, address),
    linked_services: isDisposable ? [] : pickServices(random),
    risk_level: level,
    factors: isDisposable ? ['The domain gives out addresses that are thrown away.'] : [],
  }
}

/** What the address itself tells of the user. */
function compareWithUser(
  { name, date_of_birth }: KnownUser,
  address: string,
): Pick<RiskCheckEmail, 'is_edu' | 'includes_date_of_birth' | 'name'> {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  const hasBirth = date_of_birth !== null && local.includes(date_of_birth.slice(0, 4))
  const names = name === null ? [] : [name.given_name, name.family_name]
  const found = names.filter((part) => local.includes(part.toLowerCase()))
  const agreement = (['no_match', 'partial_match', 'match'] as const)[found.length]
  return {
    is_edu: /\.edu$|\.(edu|ac)\.[a-z]{2}$/.test(domain) ? 'yes' : 'no',
    includes_date_of_birth: date_of_birth === null ? 'no_data' : hasBirth ? 'yes' : 'no',
    name: (name === null ? undefined : agreement) ?? 'no_data',
  }
}

const toPhone = (random: Random, level: RiskLevel): RiskCheckPhone => ({
  linked_services: level === 'high' ? [] : pickServices(random),
  risk_level: level,
  factors: level === 'low' ? ['The number has been in use for years.'] : ['The number is new.'],
})

const pickServices = (random: Random): LinkedService[] => services.filter(() => random.chance(0.4))

const toDevice = (random: Random, level: RiskLevel): RiskCheckDevice => ({
  ip_proxy_type: level === 'high' ? random.pick(['tor', 'vpn'] as const) : 'none_detected',
  ip_spam_list_count: level === 'high' ? random.integer(2, 6) : 0,
  ip_timezone_offset: random.pick(['-04:00:00', '-05:00:00', '-06:00:00', '-07:00:00']),
  risk_level: level,
  factors: level === 'high' ? ['The network address belongs to an anonymizing network.'] : [],
})
