/** How long an IBAN is, by its country: https://www.swift.com/standards/data-standards/iban */
const lengths: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18
  DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23
  IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30
  NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23
  ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((one) => [one.slice(0, 2), Number(one.slice(2))]),
)

/** Shorter texts are ends of account numbers, which may begin with letters as well. */
const shortest = 12

/** Whether somebody who writes this means an IBAN. Spaces are left out before. */
export const meansIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}/.test(text) && text.length >= shortest && text.slice(0, 2) in lengths

/** Whether an IBAN has the length of its country, and its check digits fit. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(text)) return false
  return lengths[text.slice(0, 2)] === text.length && remainder(text) === 1
}

/** By 97, of the number that ISO 7064 makes of it: letters count from 10, the first four signs last. */
function remainder(text: string): number {
  const digits = [...text.slice(4), ...text.slice(0, 4)].map((sign) => Number.parseInt(sign, 36))
  return Number(BigInt(digits.join('')) % 97n)
}
