import { UnofficialCurrencyCode as unofficial } from '#contract/enums.ts'

/**
 * The currencies of ISO 4217 in which accounts are kept: without metals, test codes and units of
 * account of banks among themselves, and without those that ended.
 */
const official = new Set(
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
  CHE CHF CHW CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP
  GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD
  KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
  NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD
  SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF
  XCD XCG XOF XPF YER ZAR ZMW ZWG`.split(/\s+/),
)

/** Whether somebody can have an account in a currency: an official one, or one that the contract lists. */
export const isInUse = (code: string): boolean =>
  official.has(code) || (unofficial as readonly string[]).includes(code)
