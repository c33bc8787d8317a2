//! An MCP server that needs nothing but a shell, for the real Codex to talk to.

/// A script for `sh`, on stdin and stdout. `echo` says `from the server: $SECRET`, `break` fails, `order` asks for a size
/// first. With `READ_ONLY` set, `echo` says of itself that it only reads: then Codex asks nobody.
pub const SERVER: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
tool() { printf '{"name":"%s","description":"%s",%s"inputSchema":{"type":"object"}}' "$1" "$2" "$3"; }
reads='"annotations":{"readOnlyHint":true},'
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  [ -n "$id" ] || continue
  version=$(printf '%s' "$line" | sed -n 's/.*"protocolVersion":"\([^"]*\)".*/\1/p')
  case $line in
    *'"initialize"'*) answer "$id" '{"protocolVersion":"'$version'","capabilities":{"tools":{}},"serverInfo":{"name":"demo","version":"1"}}' ;;
    *'"tools/list"'*) answer "$id" '{"tools":['"$(tool echo Echoes. "${READ_ONLY:+$reads}"),$(tool break Breaks.),$(tool order Orders. "$reads")"']}' ;;
    *'"order"'*)
      echo '{"jsonrpc":"2.0","id":900,"method":"elicitation/create","params":{"message":"Which size?","requestedSchema":{"type":"object","properties":{"size":{"type":"string"}},"required":["size"]}}}'
      IFS= read -r filled
      answer "$id" '{"content":[{"type":"text","text":"the form said: '"$(printf '%s' "$filled" | tr -d '"\\')"'"}]}' ;;
    *'"break"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"it is broken"}}\n' "$id" ;;
    *'"tools/call"'*) answer "$id" '{"content":[{"type":"text","text":"from the server: '"$SECRET"'"}]}' ;;
    *) answer "$id" '{}' ;;
  esac
done
"#;
