//! A session's tools as a server of MCP shows them.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use selvedge_runtime::{Called, Error, SessionHandle};
use selvedge_session::{Code, Json, ToolSpec};
use serde_json::Value;

use super::content;

/// The tools of one session, for one request.
#[derive(Clone)]
pub(super) struct Tools {
    session: SessionHandle,
    specs: Arc<[ToolSpec]>,
    by_agent: bool,
}

impl Tools {
    pub(super) fn new(session: SessionHandle, specs: Vec<ToolSpec>, by_agent: bool) -> Self {
        Self { session, specs: specs.into(), by_agent }
    }

    /// Calls one, and waits until it is answered or nobody wants to know any more.
    async fn call(
        &self,
        request: CallToolRequestParams,
        gone: impl Future<Output = ()>,
    ) -> Result<Called, Error> {
        let arguments = Json::from(Value::Object(request.arguments.unwrap_or_default()));
        let mut calling = self.session.call_tool(&request.name, arguments, self.by_agent).await?;
        tokio::select! {
            came = calling.came() => came,
            () = gone => {
                calling.hang_up().await;
                Err(Error::coded(Code::Internal, "whoever called has gone"))
            }
        }
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("selvedge", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.specs.iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !self.specs.iter().any(|spec| spec.name == request.name) {
            return Err(ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None));
        }
        let result = match self.call(request, context.ct.cancelled()).await {
            Ok(Called { success: true, content }) => CallToolResult::success(content::blocks(&content)),
            Ok(Called { success: false, content }) => CallToolResult::error(content::blocks(&content)),
            // The model reads why.
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.message)]),
        };
        Ok(result.into())
    }
}

fn tool(spec: &ToolSpec) -> Tool {
    // It was read as an object when the session was made.
    let schema: JsonObject = serde_json::from_str(spec.input_schema.text()).unwrap_or_default();
    Tool::new(spec.name.clone(), spec.description.clone(), schema)
}
