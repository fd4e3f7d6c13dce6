/**
 * The host's self-signed certificate (RFC 5280, ECDSA P-256 with SHA-256), made once and pinned by every
 * pairing: another app on the phone can reach loopback ports, squat on them or relay. Not for proving the
 * pairing secret (device-protocol/auth.ts).
 *
 * Built from the ASN.1 classes, because @peculiar/x509 itself needs a global `Reflect` polyfill.
 */
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  id_ce_basicConstraints,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
} from '@peculiar/asn1-x509';
import type { StoreApi } from '../store/store-api.ts';

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
/** Pinned by its bytes, so its dates say nothing; these are the widest that old TLS stacks take (UTCTime). */
const NOT_BEFORE = new Date('2020-01-01T00:00:00Z');
const NOT_AFTER = new Date('2049-12-31T00:00:00Z');

export interface HostTls {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
  /** SHA-256 of the certificate's DER, lower-case hex. */
  readonly fingerprint: string;
}

/** `serial`: 16 random bytes, hex. */
function makeCertificate(serial: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({
        type: COMMON_NAME,
        value: new AttributeValue({ utf8String: 'Countersign host' }),
      }),
    ]),
  ]);
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: 2,
    // A leading 01 keeps the number positive and of one length.
    serialNumber: Uint8Array.from(Buffer.from(`01${serial}`, 'hex')).buffer,
    signature: algorithm,
    issuer: name,
    validity: new Validity({ notBefore: NOT_BEFORE, notAfter: NOT_AFTER }),
    subject: name,
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      SubjectPublicKeyInfo,
    ),
    extensions: new Extensions([
      new Extension({
        extnID: id_ce_basicConstraints,
        critical: true,
        extnValue: new OctetString(AsnConvert.serialize(new BasicConstraints({ cA: false }))),
      }),
    ]),
  });
  const signed = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), privateKey);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: Uint8Array.from(signed).buffer,
  });
  const der = Buffer.from(AsnConvert.serialize(certificate));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: new X509Certificate(der).toString(),
  };
}

/** The host's certificate; made and stored at the first call of its life. */
export function hostTls(store: StoreApi, chance: { hex(count: number): string }): HostTls {
  const known = store.identity.tls();
  const made = known ?? makeCertificate(chance.hex(16));
  if (known === null) store.identity.setTls(made.key, made.cert);
  const fingerprint = new X509Certificate(made.cert).fingerprint256.replaceAll(':', '').toLowerCase();
  return { ...made, fingerprint };
}
