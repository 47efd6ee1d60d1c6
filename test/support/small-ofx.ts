/** An OFX 1.x file of one account. */
export const ofx = (inside: string, currency = 'USD') => `OFXHEADER:100
DATA:OFXSGML
CHARSET:1252

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}
<BANKACCTFROM><BANKID>011000015<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>
${inside}
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

/** A booking of such a file, from its fields. */
export const row = (fields: string) => `<STMTTRN><TRNTYPE>DEBIT${fields}</STMTTRN>`
/** The fields of a usual booking. */
export const usual = '<DTPOSTED>20260103<TRNAMT>-1.50<FITID>1'
